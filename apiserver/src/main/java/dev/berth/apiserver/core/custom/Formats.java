package dev.berth.apiserver.core.custom;

import dev.berth.apiserver.core.cel.Address;
import dev.berth.apiserver.core.cel.Url;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The formats of texts that upstream checks; texts of all others pass. A dash in a format's name
/// means nothing.
final class Formats {
  private static final String HEX = "[0-9a-fA-F]";
  private static final String LABEL = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
  private static final String LETTER = "[a-zA-Z0-9\\p{S}\\p{L}]";
  private static final String ATOMS = "[^\\s<>@(),:;\\[\\]\\\\\"]+";
  private static final String ADDRESS = ATOMS + "@" + ATOMS;
  private static final int LONGEST_NAME = 253;
  private static final int LONGEST_HOST = 255;

  private static final Map<String, Predicate<String>> ALL =
      Map.ofEntries(
          Map.entry("datetime", text -> reads(OffsetDateTime::parse, text)),
          Map.entry("date", text -> reads(LocalDate::parse, text)),
          Map.entry("byte", text -> reads(Base64.getDecoder()::decode, text)),
          like("duration", "0|[-+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|ms|s|m|h).*"),
          like("bsonobjectid", HEX + "{24}"),
          Map.entry("uri", text -> reads(Url::parse, text)),
          like("email", ADDRESS + "|[^<>\\r\\n]*<" + ADDRESS + ">"),
          Map.entry("hostname", Formats::isHost),
          Map.entry("ipv4", text -> !text.contains(":") && reads(Address::parse, text)),
          Map.entry("ipv6", text -> text.contains(":") && reads(Address::parse, text)),
          Map.entry("cidr", Formats::isNetwork),
          like(
              "mac",
              "(?:%1$s{2}([:-])(?:%1$s{2}\\1){4}(?:(?:%1$s{2}\\1){2}(?:(?:%1$s{2}\\1){12})?)?%1$s{2})|%1$s{4}(?:\\.%1$s{4}){2}(?:\\.%1$s{4}(?:(?:\\.%1$s{4}){6})?)?"
                  .formatted(HEX)),
          uuid("uuid", HEX + "{4}", HEX + "{4}"),
          uuid("uuid3", "3" + HEX + "{3}", HEX + "{4}"),
          uuid("uuid4", "4" + HEX + "{3}", "[89abAB]" + HEX + "{3}"),
          uuid("uuid5", "5" + HEX + "{3}", "[89abAB]" + HEX + "{3}"),
          Map.entry("isbn", text -> isBook10(text) || isBook13(text)),
          Map.entry("isbn10", Formats::isBook10),
          Map.entry("isbn13", Formats::isBook13),
          Map.entry("creditcard", Formats::isCard),
          like("ssn", "\\d{3}[- ]?\\d{2}[- ]?\\d{4}"),
          like("hexcolor", "#?(?:%1$s{3}|%1$s{6})".formatted(HEX)),
          Map.entry("rgbcolor", Formats::isColour),
          like("k8sshortname", LABEL),
          Map.entry("k8slongname", longName()));

  private Formats() {}

  static boolean admits(String format, String text) {
    var known = ALL.get(format.replace("-", ""));
    return known == null || known.test(text);
  }

  private static Map.Entry<String, Predicate<String>> like(String name, String pattern) {
    var read = Pattern.compile(pattern, Pattern.DOTALL);
    return Map.entry(name, text -> read.matcher(text).matches());
  }

  private static Map.Entry<String, Predicate<String>> uuid(
      String name, String third, String fourth) {
    var parts = new String[] {HEX + "{8}", HEX + "{4}", third, fourth, HEX + "{12}"};
    return like(name, String.join("-?", parts));
  }

  private static Predicate<String> longName() {
    var read = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*");
    return text -> text.length() <= LONGEST_NAME && read.matcher(text).matches();
  }

  private interface Parser {
    Object parse(String text);
  }

  private static boolean reads(Parser parser, String text) {
    try {
      parser.parse(text);
      return true;
    } catch (IllegalArgumentException | DateTimeException otherwise) {
      return false;
    }
  }

  private static final Pattern HOST =
      Pattern.compile(
          "%1$s(?:-?%1$s{0,62})?|(?:%1$s(?:(?:%1$s|-){0,61}%1$s)?\\.)+[a-zA-Z\\p{L}]{2,63}"
              .formatted(LETTER));

  private static boolean isHost(String text) {
    return text.length() <= LONGEST_HOST && HOST.matcher(text).matches();
  }

  private static boolean isNetwork(String text) {
    int slash = text.indexOf('/');
    var bits = text.substring(slash + 1);
    return slash > 0
        && reads(Address::parse, text.substring(0, slash))
        && bits.matches("0|[1-9][0-9]{0,2}")
        && Integer.parseInt(bits) <= (text.contains(":") ? 128 : 32);
  }

  private static String digits(String text) {
    return text.replaceAll("[ -]", "");
  }

  private static boolean isBook10(String text) {
    var digits = digits(text);
    if (!digits.matches("[0-9]{9}[0-9X]")) return false;
    int sum = 0;
    for (int i = 0; i < 10; i++)
      sum += (10 - i) * (digits.charAt(i) == 'X' ? 10 : digits.charAt(i) - '0');
    return sum % 11 == 0;
  }

  private static boolean isBook13(String text) {
    var digits = digits(text);
    if (!digits.matches("[0-9]{13}")) return false;
    int sum = 0;
    for (int i = 0; i < 13; i++) sum += (i % 2 == 0 ? 1 : 3) * (digits.charAt(i) - '0');
    return sum % 10 == 0;
  }

  private static boolean isCard(String text) {
    var digits = digits(text);
    if (!digits.matches("[0-9]{12,19}")) return false;
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int counted = i % 2 == 0 ? digit : 2 * digit;
      sum += counted > 9 ? counted - 9 : counted;
    }
    return sum % 10 == 0;
  }

  private static final Pattern COLOUR =
      Pattern.compile("rgb\\(\\s*(\\d{1,3})\\s*,\\s*(\\d{1,3})\\s*,\\s*(\\d{1,3})\\s*\\)");

  private static boolean isColour(String text) {
    var colour = COLOUR.matcher(text);
    return colour.matches()
        && Arrays.stream(new int[] {1, 2, 3})
            .allMatch(part -> Integer.parseInt(colour.group(part)) <= 255);
  }
}
