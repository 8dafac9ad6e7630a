package dev.berth.apiserver.core.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// How a built-in kind shows objects that are stored as another kind, and back. Neither way loses
/// anything; who owns what stays as it is, in words of the version in which it was said.
public interface Conversion {
  /// @param stored is left as it is
  ObjectNode show(ObjectNode stored);

  /// @param shown is left as it is
  ObjectNode store(ObjectNode shown);
}
