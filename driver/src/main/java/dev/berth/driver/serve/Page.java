package dev.berth.driver.serve;

import com.google.protobuf.Message;
import dev.berth.driver.model.Refusal;
import io.grpc.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/// One page of a list (PAG-01 to PAG-03).
///
/// A token names the last id of its page and is bound to the call and its filter by a checksum. So
/// it survives restarts, and whatever is removed or added between two pages, nothing else is
/// skipped or shown twice.
///
/// @param nextToken empty: this is the last page
record Page<M extends Message>(List<M> entries, String nextToken) {
  /// Clients of gRPC for Go take 4 MiB; a page stays well below.
  private static final int MOST_BYTES = 3 << 20;

  private static final int CHECKSUM_LENGTH = 8;

  /// What a token belongs to: the call and its filter, such as `ListSnapshots/vol-1/`.
  record Query(String words, int maxEntries, String startingToken) {
    Query {
      if (maxEntries < 0) throw Refusal.invalid("max_entries is " + maxEntries + ", below 0");
    }

    /// The id after which the page begins; empty: at the start.
    String after() {
      if (startingToken.isEmpty()) return "";
      var id =
          startingToken.length() > CHECKSUM_LENGTH ? startingToken.substring(CHECKSUM_LENGTH) : "";
      if (id.isEmpty() || !token(id).equals(startingToken))
        throw Refusal.busy("starting_token is not one of ours; begin again without it");
      return id;
    }

    private String token(String lastId) {
      var checksum = new CRC32();
      checksum.update((words + '\n' + lastId).getBytes(StandardCharsets.UTF_8));
      return "%08x".formatted(checksum.getValue()) + lastId;
    }
  }

  /// What a page shows of a thing.
  interface Entry<T, M> {
    M of(T thing) throws IOException;
  }

  /// @param things those after [Query#after], in order
  static <T, M extends Message> Page<M> of(
      Query query, Stream<T> things, Function<T, String> id, Entry<T, M> entry) throws IOException {
    var entries = new ArrayList<M>();
    long bytes = 0;
    var last = "";
    try (things) {
      for (var thing : (Iterable<T>) things::iterator) {
        if (query.maxEntries > 0 && entries.size() == query.maxEntries)
          return new Page<>(entries, query.token(last));
        if (Context.current().isCancelled())
          throw Refusal.busy("nobody waits for the list any more"); // CON-05
        var message = entry.of(thing);
        bytes += message.getSerializedSize() + 8L;
        if (bytes > MOST_BYTES && !entries.isEmpty()) return new Page<>(entries, query.token(last));
        entries.add(message);
        last = id.apply(thing);
      }
    }
    return new Page<>(entries, "");
  }
}
