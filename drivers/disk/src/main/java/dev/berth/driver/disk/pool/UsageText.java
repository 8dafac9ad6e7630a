package dev.berth.driver.disk.pool;

import com.google.protobuf.TextFormat;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.Wire;

/// A usage as one line in a state file.
final class UsageText {
  static String of(Usage usage) {
    return TextFormat.printer().emittingSingleLine(true).printToString(Wire.message(usage));
  }

  static Usage parse(String text) {
    try {
      return Wire.usage(TextFormat.parse(text, VolumeCapability.class));
    } catch (TextFormat.ParseException e) {
      throw new IllegalArgumentException("not a volume capability: " + text, e);
    }
  }

  private UsageText() {}
}
