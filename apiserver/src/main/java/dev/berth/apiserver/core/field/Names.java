package dev.berth.apiserver.core.field;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/// What names, keys and values may look like, with upstream's words for what is wrong.
public enum Names {
  /// DNS-1123 subdomain, at most 253 characters.
  SUBDOMAIN(
      Spelling::isSubdomain,
      253,
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'example.com',"
          + " regex used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"),
  /// DNS-1123 label, at most 63 characters.
  LABEL(
      Spelling::isLabel,
      63,
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
          + " must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc',"
          + " regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"),
  /// Value of a label.
  LABEL_VALUE(
      Spelling::isLabelValue,
      63,
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
          + " 'my_value',  or '12345', regex used for validation is"
          + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"),
  /// Key of a label, annotation or finalizer: a name, with or without a domain before a slash.
  QUALIFIED(
      Spelling::isQualified,
      317,
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end"
          + " with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex"
          + " used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"),
  /// Key of a Secret's or ConfigMap's data.
  DATA_KEY(
      Pattern.compile("(?!\\.\\.)(?!\\.$)[-._a-zA-Z0-9]+").asMatchPredicate(),
      253,
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g."
          + " 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is"
          + " '[-._a-zA-Z0-9]+')"),
  /// What can stand between two slashes of a path, such as a role's name `system:node`.
  PATH_SEGMENT(
      Pattern.compile("(?!\\.{1,2}$)[^/%]+").asMatchPredicate(),
      253,
      "may not be '.' or '..', and may not contain '/' or '%'"),
  /// Name of a CSI driver, which may have upper-case letters.
  CSI_DRIVER(
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?").asMatchPredicate(),
      63,
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'example.com')");

  @SuppressWarnings("ImmutableEnumChecker") // a method, or a pattern's
  private final Predicate<String> spelled;

  private final int mostCharacters;
  private final String rule;

  Names(Predicate<String> spelled, int mostCharacters, String rule) {
    this.spelled = spelled;
    this.mostCharacters = mostCharacters;
    this.rule = rule;
  }

  /// Whether `text` is one.
  public boolean admit(String text) {
    return text.length() <= mostCharacters && spelled.test(text);
  }

  /// What they look like, in words.
  public String rule() {
    return rule;
  }

  /// Says what is wrong with a field that should be one.
  public void check(Field field) {
    var text = field.text();
    if (text.length() > mostCharacters)
      field.invalid("must be no more than " + mostCharacters + " characters");
    else if (!spelled.test(text)) field.invalid(rule);
  }

  /// Says what is wrong with a key of a map, at the map.
  public void checkKey(Field map, String key) {
    if (key.length() > mostCharacters)
      map.invalid(key, "must be no more than " + mostCharacters + " characters");
    else if (!spelled.test(key)) map.invalid(key, rule);
  }
}
