package dev.berth.driver.spi;

import java.util.regex.Pattern;

/// Who a driver is.
///
/// @param name in the form of a domain name, such as `disk.berth.dev`: lower case, at most 63
///   characters, first and last one a letter
/// @param version of the driver; never empty
public record PluginInfo(String name, String version) {
  private static final Pattern NAME = Pattern.compile("[a-z]([a-z0-9.-]*[a-z])?");

  public PluginInfo {
    if (name.length() > 63 || !NAME.matcher(name).matches())
      throw new IllegalArgumentException(
          "driver name %s: use a domain name of lower-case letters, digits, '-' and '.' that begins"
                  .formatted(name)
              + " and ends with a letter, of at most 63 characters");
    if (version.isEmpty()) throw new IllegalArgumentException("driver " + name + " has no version");
  }
}
