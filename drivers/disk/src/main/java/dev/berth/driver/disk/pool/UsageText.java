package dev.berth.driver.disk.pool;

import com.google.protobuf.TextFormat;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.Wire;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A usage as one line in a state file, without the text of its mount flags.
final class UsageText {
  private static final int MOST = 256;
  private static final Map<String, Usage> KNOWN = new ConcurrentHashMap<>();

  static String of(Usage usage) {
    return TextFormat.printer().emittingSingleLine(true).printToString(Wire.message(usage.kept()));
  }

  /// Few differ, and to take one apart costs more than the look that it is for.
  static Usage parse(String text) {
    if (KNOWN.size() > MOST) KNOWN.clear();
    return KNOWN.computeIfAbsent(text, UsageText::parsed);
  }

  private static Usage parsed(String text) {
    try {
      return Wire.usage(TextFormat.parse(text, VolumeCapability.class));
    } catch (TextFormat.ParseException e) {
      throw new IllegalArgumentException("not a volume capability: " + text, e);
    }
  }

  private UsageText() {}
}
