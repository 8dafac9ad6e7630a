package dev.berth.csi;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/// What of a mount flag may be told. The specification allows these flags to hold secrets, and yet
/// the name of an option that a file system does not know is what its user has to mend (SEC-03).
///
/// Told is what has the form of an option's name: `noatime` of `noatime`, `password` of
/// `password=…`. Secret is all from the first `=` on, commas included, and a word that no option is
/// called like: one with capitals, many digits or signs, or a long one.
record MountFlag(String text) {
  /// A word that stands alone has to look like a name; a password or a token seldom does.
  private static final Pattern WORD = Pattern.compile("(?!(.*[0-9]){3})[a-z][a-z0-9_.:-]{0,31}");

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.:-]{0,31}");

  /// As `noatime,password=***stripped***`.
  @Override
  public String toString() {
    var told = told();
    return told.length() == text.length() ? told : told + Redaction.STRIPPED;
  }

  /// What must not be repeated: the secret as a whole, and each part of it that a tool may have
  /// taken for a flag of its own.
  Set<String> secrets() {
    var secret = text.substring(told().length());
    var all = new LinkedHashSet<String>();
    all.add(secret);
    for (var part : secret.split(",", -1)) all.add(part);
    all.remove("");
    return all;
  }

  /// The beginning that is no secret.
  private String told() {
    var value = text.indexOf('=');
    var names = (value < 0 ? text : text.substring(0, value)).split(",", -1);
    for (var i = 0; i < names.length; i++) {
      var named = value >= 0 && i == names.length - 1;
      if (!(named ? NAME : WORD).matcher(names[i]).matches()) return "";
    }
    return value < 0 ? text : text.substring(0, value + 1);
  }
}
