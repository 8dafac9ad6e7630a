package dev.berth.node.runtime;

/// A container and what has become of it.
///
/// @param image id of the image that it runs from, as its runtime has it; empty: the runtime does
///   not tell
public record Container(ContainerId id, ContainerState state, String image) {
  /// Of a runtime that does not tell from which image it is.
  public Container(ContainerId id, ContainerState state) {
    this(id, state, "");
  }
}
