package dev.berth.csi;

import java.nio.charset.StandardCharsets;

/// How much an error says. gRPC sends its words in a header, where Java's and C's clients take 8
/// KiB for all headers together; beyond that they show an error of their own instead, and the code
/// is lost with the words. And whoever reads them puts them into events, conditions and
/// annotations, which are bounded too.
public final class ErrorWords {
  /// Most bytes of an error's words on their way.
  private static final int MOST = 4096;

  /// Of these, the first ones of words that are longer.
  private static final int BEGINNING = 3072;

  /// And the last ones, where tools say why they have stopped. What is left takes the gap's note.
  private static final int END = 896;

  private static final String GAP = " … [%d characters left out] … ";

  /// The words, or their beginning and their end.
  public static String bounded(String words) {
    if (fitsWhole(words)) return words;
    int beginning = beginning(words);
    int end = end(words);
    return words.substring(0, beginning) + GAP.formatted(end - beginning) + words.substring(end);
  }

  private static boolean fitsWhole(String words) {
    return words.length() <= MOST && words.codePoints().map(ErrorWords::bytes).sum() <= MOST;
  }

  private static int beginning(String words) {
    int index = 0;
    int bytes = 0;
    while (index < words.length()) {
      int point = words.codePointAt(index);
      bytes += bytes(point);
      if (bytes > BEGINNING) break;
      index += Character.charCount(point);
    }
    return index;
  }

  private static int end(String words) {
    int index = words.length();
    int bytes = 0;
    while (index > 0) {
      int point = words.codePointBefore(index);
      bytes += bytes(point);
      if (bytes > END) break;
      index -= Character.charCount(point);
    }
    return index;
  }

  /// As gRPC writes it: visible ASCII but '%' as it is, every other byte of UTF-8 as three.
  private static int bytes(int point) {
    if (point >= ' ' && point <= '~') return point == '%' ? 3 : 1;
    return 3 * Character.toString(point).getBytes(StandardCharsets.UTF_8).length;
  }

  private ErrorWords() {}
}
