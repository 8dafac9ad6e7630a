package dev.berth.apiserver.http.exchange;

import java.util.ArrayList;
import java.util.List;

/// `Warning` headers, of which no request can ask for more than a client takes (API-21): together
/// they have upstream's bound, and those that exceed it are cut short or left out.
final class Warnings {
  private static final int MOST_TOGETHER = 4 * 1024;
  private static final int MOST_EACH = 256;

  private Warnings() {}

  /// The values of the headers.
  static List<String> headers(List<String> texts) {
    var whole = texts.stream().map(Warnings::header).toList();
    if (whole.stream().mapToInt(Warnings::weight).sum() <= MOST_TOGETHER) return whole;
    var headers = new ArrayList<String>();
    int left = MOST_TOGETHER;
    for (var text : texts) {
      var header = header(cut(text));
      left -= weight(header);
      if (left < 0) break;
      headers.add(header);
    }
    return headers;
  }

  private static String header(String text) {
    return "299 - \"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  /// With the header's name and the end of its line.
  private static int weight(String header) {
    return "Warning: \r\n".length() + header.length();
  }

  private static String cut(String text) {
    return text.codePointCount(0, text.length()) <= MOST_EACH
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MOST_EACH));
  }
}
