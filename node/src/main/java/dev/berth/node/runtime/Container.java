package dev.berth.node.runtime;

/// A container and what has become of it.
public record Container(ContainerId id, ContainerState state) {}
