// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The sandbox's USDT. Written for Antelope, it behaves like Tether's contract on mainnet
/// where that differs from ERC-20: transfer, transferFrom and approve return nothing; an
/// allowance must be set to zero before it is changed; and the owner can pause, blacklist,
/// destroy blacklisted funds, issue tokens, and turn on a fee.
contract TetherLike {
    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    address public owner;
    uint256 public totalSupply;
    bool public paused;
    bool public deprecated;
    uint256 public basisPointsRate;
    uint256 public maximumFee;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isBlackListed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Issue(uint256 amount);
    event Params(uint256 feeBasisPoints, uint256 maxFee);
    event Pause();
    event Unpause();
    event AddedBlackList(address user);
    event RemovedBlackList(address user);
    event DestroyedBlackFunds(address blackListedUser, uint256 balance);
    event Deprecate(address newAddress);

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    constructor(uint256 initialSupply) {
        owner = msg.sender;
        totalSupply = initialSupply;
        balanceOf[msg.sender] = initialSupply;
        emit Transfer(address(0), msg.sender, initialSupply);
    }

    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "allowance too small");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0, "set the allowance to 0 first");
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function issue(uint256 amount) external onlyOwner {
        totalSupply += amount;
        balanceOf[owner] += amount;
        emit Issue(amount);
    }

    function setParams(uint256 newBasisPoints, uint256 newMaxFee) external onlyOwner {
        require(newBasisPoints < 20 && newMaxFee < 50, "fee too high");
        basisPointsRate = newBasisPoints;
        maximumFee = newMaxFee * 10 ** decimals;
        emit Params(basisPointsRate, maximumFee);
    }

    function pause() external onlyOwner {
        require(!paused, "paused");
        paused = true;
        emit Pause();
    }

    function unpause() external onlyOwner {
        require(paused, "not paused");
        paused = false;
        emit Unpause();
    }

    function addBlackList(address user) external onlyOwner {
        isBlackListed[user] = true;
        emit AddedBlackList(user);
    }

    function removeBlackList(address user) external onlyOwner {
        isBlackListed[user] = false;
        emit RemovedBlackList(user);
    }

    function destroyBlackFunds(address user) external onlyOwner {
        require(isBlackListed[user], "not blacklisted");
        uint256 funds = balanceOf[user];
        balanceOf[user] = 0;
        totalSupply -= funds;
        emit DestroyedBlackFunds(user, funds);
    }

    /// Tether then forwards calls to the new contract. Here it only sets the flag.
    function deprecate(address newAddress) external onlyOwner {
        deprecated = true;
        emit Deprecate(newAddress);
    }

    /// Only the sender's blacklisting counts, not the receiver's. The fee goes to the owner in a
    /// second Transfer; the first Transfer shows the amount without it.
    function move(address from, address to, uint256 value) private {
        require(!paused, "paused");
        require(!isBlackListed[from], "blacklisted");
        require(balanceOf[from] >= value, "balance too small");
        uint256 fee = (value * basisPointsRate) / 10000;
        if (fee > maximumFee) fee = maximumFee;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        emit Transfer(from, to, value - fee);
        if (fee > 0) {
            balanceOf[owner] += fee;
            emit Transfer(from, owner, fee);
        }
    }
}
