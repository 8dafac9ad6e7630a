package dev.berth.driver.serve;

import dev.berth.driver.model.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/// Writes and reads the tokens of one list: texts of at most 128 bytes, bound to the list by a
/// checksum (PAG-02).
///
/// A token holds the last id of its page or, if that is too long beside the checksum, a shorter
/// text between it and the next id. Where two long ids differ only at their ends there is none:
/// then the token leaves out how the id begins, and is stale once no id of the list begins so.
///
/// @param list the call and its filter, such as `ListSnapshots/vol-1/`
record PageToken(String list) {
  private static final int CHECKSUM_LENGTH = 8;
  private static final int LONGEST_ID = 128 - CHECKSUM_LENGTH;

  /// As long as the checksum: what is left out makes the room that it takes.
  private static final int HEAD_LENGTH = CHECKSUM_LENGTH;

  /// The ids of the whole list, closed after use.
  interface Ids {
    Stream<String> all() throws IOException;
  }

  /// The token of a page.
  ///
  /// @param next first id of the page after it, greater than `last`
  String between(String last, String next) {
    if (fits(last)) return checksum(last) + last;
    var mark = shortestAfter(last, next);
    return fits(mark) && !mark.equals(next)
        ? checksum(mark) + mark
        : checksum(last) + last.substring(head(last).length());
  }

  /// The text after which the page begins that a token leads to.
  ///
  /// @throws Refusal BUSY if the token is not of this list, or stale (PAG-01)
  String after(String token, Ids ids) throws IOException {
    if (token.length() > CHECKSUM_LENGTH) {
      var checksum = token.substring(0, CHECKSUM_LENGTH);
      var rest = token.substring(CHECKSUM_LENGTH);
      if (checksum(rest).equals(checksum)) return rest;
      try (var all = ids.all()) {
        var whole =
            all.map(id -> head(id) + rest).filter(id -> checksum(id).equals(checksum)).findFirst();
        if (whole.isPresent()) return whole.get();
      }
    }
    throw Refusal.busy("starting_token is not one of ours; begin again without it");
  }

  /// The shortest beginning of `next` that is greater than `last`: less than `next`, or all of it.
  private static String shortestAfter(String last, String next) {
    var end = 0;
    while (end < next.length() && next.substring(0, end).compareTo(last) <= 0)
      end = next.offsetByCodePoints(end, 1);
    return next.substring(0, end);
  }

  private static String head(String id) {
    var length = Math.min(HEAD_LENGTH, id.codePointCount(0, id.length()));
    return id.substring(0, id.offsetByCodePoints(0, length));
  }

  private static boolean fits(String id) {
    return id.getBytes(StandardCharsets.UTF_8).length <= LONGEST_ID;
  }

  private String checksum(String id) {
    var checksum = new CRC32();
    checksum.update((list + '\n' + id).getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(checksum.getValue());
  }
}
