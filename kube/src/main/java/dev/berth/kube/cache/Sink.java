package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import java.util.function.Function;

/// Takes what a [Feed] has of one scope.
interface Sink {
  /// Lists everything there is.
  interface Lister {
    /// @param read is asked for each object as it comes in, once more if the list begins anew
    <R> Api.Listed<R> with(Function<ObjectNode, R> read);
  }

  /// Has everything listed there is.
  void list(Lister lister);

  /// The server does not serve the kind.
  void notServed();

  /// The server does not let this process list the kind, in its own words.
  void refused(String why);

  void shown(ObjectNode object);

  void shownGone(ObjectNode object);

  void passed(String version);

  /// Where a watch goes on.
  String position();
}
