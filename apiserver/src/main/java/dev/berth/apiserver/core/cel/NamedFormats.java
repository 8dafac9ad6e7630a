package dev.berth.apiserver.core.cel;

import static dev.berth.apiserver.core.cel.Types.FORMAT;
import static dev.berth.apiserver.core.cel.Types.TEXTS;
import static dev.cel.common.types.SimpleType.STRING;

import dev.cel.common.types.OptionalType;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// `format.dns1123Label().validate('a')` and its like: optional, what is wrong with a text.
final class NamedFormats {
  private static final int LABEL = 63;
  private static final int SUBDOMAIN = 253;
  private static final String LABEL_1123 = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String DOMAIN_1123 = LABEL_1123 + "(\\." + LABEL_1123 + ")*";
  private static final String LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
  private static final String WORD = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

  private static final Map<String, Format> ALL =
      Map.ofEntries(
          named("dns1123Label", LABEL, LABEL_1123),
          named("dns1123Subdomain", SUBDOMAIN, DOMAIN_1123),
          named("dns1035Label", LABEL, LABEL_1035),
          prefix("dns1123LabelPrefix", LABEL, LABEL_1123),
          prefix("dns1123SubdomainPrefix", SUBDOMAIN, DOMAIN_1123),
          prefix("dns1035LabelPrefix", LABEL, LABEL_1035),
          named("labelValue", LABEL, "(" + WORD + ")?"),
          Map.entry("qualifiedName", new Format("qualifiedName", NamedFormats::isQualified)),
          named("uuid", 36, "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"),
          Map.entry("uri", new Format("uri", text -> reads(() -> Url.parse(text)))),
          Map.entry(
              "byte", new Format("byte", text -> reads(() -> Base64.getDecoder().decode(text)))),
          Map.entry("date", new Format("date", text -> reads(() -> LocalDate.parse(text)))),
          Map.entry(
              "datetime", new Format("datetime", text -> reads(() -> OffsetDateTime.parse(text)))));

  /// A format by its name.
  record Format(String name, Predicate<String> admits) {
    Optional<List<String>> faults(String text) {
      return admits.test(text)
          ? Optional.empty()
          : Optional.of(List.of("\"%s\" does not match the format %s".formatted(text, name)));
    }
  }

  private NamedFormats() {}

  static void addTo(Functions functions) {
    ALL.forEach((name, format) ->
        functions.function("format." + name, "format_" + name, FORMAT, List.of(), _ -> format));
    functions.function(
        "format.named",
        "format-named",
        OptionalType.create(FORMAT),
        List.of(STRING),
        a -> Optional.ofNullable(ALL.get((String) a[0])));
    functions.member(
        "validate",
        "format-validate",
        OptionalType.create(TEXTS),
        List.of(FORMAT, STRING),
        a -> ((Format) a[0]).faults((String) a[1]));
  }

  private static Map.Entry<String, Format> named(String name, int most, String pattern) {
    var read = Pattern.compile(pattern);
    return Map.entry(
        name, new Format(name, text -> text.length() <= most && read.matcher(text).matches()));
  }

  /// The beginning of a name, which may end with `-`.
  private static Map.Entry<String, Format> prefix(String name, int most, String pattern) {
    var read = Pattern.compile(pattern);
    return Map.entry(
        name,
        new Format(
            name,
            text ->
                text.length() <= most
                    && read.matcher(text.endsWith("-") ? text + "a" : text).matches()));
  }

  private static boolean isQualified(String text) {
    int slash = text.indexOf('/');
    var name = text.substring(slash + 1);
    boolean domain =
        slash < 0 || slash <= SUBDOMAIN && text.substring(0, slash).matches(DOMAIN_1123);
    return domain && name.length() <= LABEL && name.matches(WORD);
  }

  private static boolean reads(Runnable parse) {
    try {
      parse.run();
      return true;
    } catch (IllegalArgumentException | DateTimeParseException otherwise) {
      return false;
    }
  }
}
