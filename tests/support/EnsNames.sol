// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.20;

/** What `resolveWithGateways` of the Universal Resolver returns for `addr(node)`, and a registry to set it. */
contract EnsNames {
    error ResolverNotFound(bytes name);
    /** EIP-3668 */
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    mapping(bytes32 => address) owners;
    mapping(bytes32 => string) gateways;

    function setOwner(bytes32 node, address owner) external {
        owners[node] = owner;
    }

    function setGateway(bytes32 node, string calldata url) external {
        gateways[node] = url;
    }

    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] calldata)
        external
        view
        returns (bytes memory, address)
    {
        bytes32 node = bytes32(data[4:36]);
        if (bytes(gateways[node]).length > 0) {
            string[] memory urls = new string[](1);
            urls[0] = gateways[node];
            revert OffchainLookup(address(this), urls, data, this.resolveWithGateways.selector, "");
        }
        if (owners[node] == address(0)) revert ResolverNotFound(name);
        return (abi.encode(owners[node]), address(this));
    }
}
