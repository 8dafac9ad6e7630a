package dev.berth.csi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// What of a mount flag may be told (SEC-03). The specification allows these flags to hold secrets,
/// and a password may look like any word.
///
/// Told is what is surely an option's name: `noatime`, because it is known ([MountNames]), and
/// `password` of `password=…`, because it stands before a value. Of all else its user learns where
/// it stands and how long it is: that is enough to find what has to be mended. Secret is all from
/// the first `=` on, commas included.
///
/// @param position among the mount's flags, from 1 on
/// @param of how many there are
record MountFlag(String text, int position, int of) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.:-]{0,31}");

  /// What an encoded secret ends with, and no value.
  private static final Pattern PADDING = Pattern.compile("=*");

  static List<MountFlag> all(List<?> flags) {
    var all = new ArrayList<MountFlag>();
    for (var flag : flags) all.add(new MountFlag(flag.toString(), all.size() + 1, flags.size()));
    return all;
  }

  /// As `noatime`, `password=***stripped***` or `***stripped*** (option 2 of 3, 9 characters)`.
  @Override
  public String toString() {
    var told = told();
    if (told.isEmpty()) return place();
    return told.length() == text.length() ? told : told + Redaction.STRIPPED;
  }

  /// What must not be repeated, and what stands for it: the secret as a whole, and each part of it
  /// that a tool may have taken for a flag of its own.
  Map<String, String> secrets() {
    var told = told();
    var secret = text.substring(told.length());
    var instead = told.isEmpty() ? place() : Redaction.STRIPPED;
    var all = new LinkedHashMap<String, String>();
    all.put(secret, instead);
    for (var part : secret.split("[,=]", -1))
      if (!told.isEmpty() || !MountNames.contains(part)) all.putIfAbsent(part, instead);
    all.remove("");
    return all;
  }

  private String place() {
    return "%s (option %d of %d, %d characters)"
        .formatted(Redaction.STRIPPED, position, of, text.length());
  }

  /// The beginning that is no secret.
  private String told() {
    var value = text.indexOf('=');
    if (value >= 0 && PADDING.matcher(text.substring(value)).matches()) return "";
    var names = (value < 0 ? text : text.substring(0, value)).split(",", -1);
    for (var i = 0; i < names.length; i++) {
      var beforeValue = value >= 0 && i == names.length - 1;
      if (beforeValue ? !NAME.matcher(names[i]).matches() : !MountNames.contains(names[i]))
        return "";
    }
    return value < 0 ? text : text.substring(0, value + 1);
  }
}
