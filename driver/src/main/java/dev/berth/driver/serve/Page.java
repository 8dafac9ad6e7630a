package dev.berth.driver.serve;

import com.google.protobuf.Message;
import dev.berth.driver.model.Refusal;
import io.grpc.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// One page of a list (PAG-01 to PAG-03).
///
/// A [token][PageToken] says after which id the next page begins. So it survives restarts, and
/// whatever is removed or added between two pages, nothing else is skipped or shown twice.
///
/// @param nextToken empty: this is the last page
record Page<M extends Message>(List<M> entries, String nextToken) {
  /// Clients of gRPC for Go take 4 MiB; a page stays well below.
  private static final int MOST_BYTES = 3 << 20;

  /// What is asked for.
  ///
  /// @param startingToken empty: at the start
  record Query(PageToken tokens, int maxEntries, String startingToken) {
    Query {
      if (maxEntries < 0) throw Refusal.invalid("max_entries is " + maxEntries + ", below 0");
    }
  }

  /// The things to list.
  interface Source<T> {
    /// Things in the order of their ids.
    ///
    /// @param id only those whose id is greater, in order; empty: all
    Stream<T> after(String id) throws IOException;
  }

  /// What a page shows of a thing.
  interface Entry<T, M> {
    M of(T thing) throws IOException;
  }

  static <T, M extends Message> Page<M> of(
      Query query, Source<T> source, Function<T, String> id, Entry<T, M> entry) throws IOException {
    var tokens = query.tokens;
    var after =
        query.startingToken.isEmpty()
            ? ""
            : tokens.after(query.startingToken, () -> source.after("").map(id));
    var entries = new ArrayList<M>();
    long bytes = 0;
    var last = "";
    try (var things = source.after(after)) {
      for (var thing : (Iterable<T>) things::iterator) {
        if (query.maxEntries > 0 && entries.size() == query.maxEntries)
          return new Page<>(entries, tokens.between(last, id.apply(thing)));
        if (Context.current().isCancelled())
          throw Refusal.busy("nobody waits for the list any more"); // CON-05
        var message = entry.of(thing);
        bytes += message.getSerializedSize() + 8L;
        if (bytes > MOST_BYTES && !entries.isEmpty())
          return new Page<>(entries, tokens.between(last, id.apply(thing)));
        entries.add(message);
        last = id.apply(thing);
      }
    }
    return new Page<>(entries, "");
  }
}
