package dev.berth.apiserver.core.cel;

import static dev.berth.apiserver.core.cel.Types.SEMVER;
import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;

import java.util.List;

/// `semver('1.2.3')` and what can be asked of it.
final class VersionFunctions {
  private VersionFunctions() {}

  static void addTo(Functions functions) {
    var text = List.of(STRING);
    var loose = List.of(STRING, BOOL);
    functions.function("semver", "string_to_semver", SEMVER, text, a -> read(a[0], false));
    functions.function("semver", "string_bool_to_semver", SEMVER, loose, a -> read(a[0], a[1]));
    functions.function("isSemver", "is_semver_string", BOOL, text, a -> is(a[0], false));
    functions.function("isSemver", "is_semver_string_bool", BOOL, loose, a -> is(a[0], a[1]));
    var two = List.of(SEMVER, SEMVER);
    functions.member("isGreaterThan", "semver_is_greater_than", BOOL, two, a -> order(a) > 0);
    functions.member("isLessThan", "semver_is_less_than", BOOL, two, a -> order(a) < 0);
    functions.member("compareTo", "semver_compare_to", INT, two, a -> (long) order(a));
    var one = List.of(SEMVER);
    functions.member("major", "semver_major", INT, one, a -> version(a[0]).major());
    functions.member("minor", "semver_minor", INT, one, a -> version(a[0]).minor());
    functions.member("patch", "semver_patch", INT, one, a -> version(a[0]).patch());
  }

  private static SemanticVersion read(Object text, Object normalize) {
    var plain = (String) text;
    return SemanticVersion.parse((Boolean) normalize ? SemanticVersion.normal(plain) : plain);
  }

  private static boolean is(Object text, Object normalize) {
    try {
      read(text, normalize);
      return true;
    } catch (IllegalArgumentException otherwise) {
      return false;
    }
  }

  private static SemanticVersion version(Object version) {
    return (SemanticVersion) version;
  }

  private static int order(Object... arguments) {
    return version(arguments[0]).compareTo(version(arguments[1]));
  }
}
