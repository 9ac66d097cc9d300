/** Foreign and faulty tokens, compiled by the tests that use them. */

/** Claims to be USDT and logs transfers of any amount. */
export const fakeTokenSource = `
pragma solidity ^0.8.20;
contract FakeToken {
  string public constant symbol = "USDT";
  string public constant name = "Tether USD";
  uint8 public constant decimals = 6;
  event Transfer(address indexed from, address indexed to, uint256 value);
  function transfer(address to, uint256 value) external { emit Transfer(msg.sender, to, value); }
}`;

/** Says that everyone holds it, returns false instead of reverting, and moves nothing. */
export const falseTokenSource = `
pragma solidity ^0.8.20;
contract FalseToken {
  uint8 public constant decimals = 6;
  function balanceOf(address) external pure returns (uint256) { return 1e12; }
  function transfer(address, uint256) external pure returns (bool) { return false; }
}`;

/** Makes two transfers of a token in one transaction. */
export const splitterSource = `
pragma solidity ^0.8.20;
interface Token { function transfer(address to, uint256 value) external; }
contract Splitter {
  function pay(address token, address first, address second, uint256 value) external {
    Token(token).transfer(first, value);
    Token(token).transfer(second, value);
  }
}`;

/** Pays one receiver in blocks with an even number, and another receiver or another amount in the others. */
export const fickleSource = `
pragma solidity ^0.8.20;
interface Token { function transfer(address to, uint256 value) external; }
contract Fickle {
  function pay(address token, address even, address odd, uint256 evenValue, uint256 oddValue) external {
    if (block.number % 2 == 0) Token(token).transfer(even, evenValue);
    else Token(token).transfer(odd, oddValue);
  }
}`;
