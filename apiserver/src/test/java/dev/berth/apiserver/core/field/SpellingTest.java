package dev.berth.apiserver.core.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Names are told as upstream's patterns tell them, whatever is in them.
class SpellingTest {
  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
  private static final String LETTERS = "ab0Z9-._/ \n\r\u0131é";

  @Test
  void labels() {
    same(LABEL, Spelling::isLabel);
  }

  @Test
  void subdomains() {
    same(SUBDOMAIN, Spelling::isSubdomain);
  }

  @Test
  void labelValues() {
    same("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?", Spelling::isLabelValue);
  }

  @Test
  void qualifiedNames() {
    same(
        "(" + SUBDOMAIN + "/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?",
        Spelling::isQualified);
  }

  private static void same(String regex, Predicate<String> told) {
    var pattern = Pattern.compile(regex);
    var random = new Random(1123);
    int right = 0;
    for (int i = 0; i < 100_000; i++) {
      var text = text(random, i);
      boolean matches = pattern.matcher(text).matches();
      if (matches) right++;
      assertThat(told.test(text)).as("[%s]", text).isEqualTo(matches);
    }
    assertThat(right).isGreaterThan(1_000); // both answers were tried
  }

  /// Mostly of what names are made of, short and at the border of what is too long.
  private static String text(Random random, int round) {
    int length = round % 10 == 0 ? 60 + random.nextInt(8) : random.nextInt(7);
    int letters = round % 2 == 0 ? 8 : LETTERS.length();
    var text = new StringBuilder();
    for (int i = 0; i < length; i++)
      text.append(LETTERS.charAt(random.nextInt(round % 10 == 0 ? 5 : letters)));
    return (round % 7 == 0 ? "a.b/" : "") + text;
  }
}
