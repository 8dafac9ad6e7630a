package dev.berth.apiserver.core.kind;

import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.MetadataRules;
import dev.berth.apiserver.core.field.Names;
import java.util.List;

/// ConfigMaps.
final class ConfigMapRules implements Rules {
  private static final int MOST_BYTES = 1 << 20;

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void check(Field map) {
    long bytes = checkKeys(map.at("data")) + checkKeys(map.at("binaryData"));
    for (var key : map.at("binaryData").names())
      if (map.at("data").key(key).isSet())
        map.at("binaryData").invalid(key, "duplicate of key present in data");
    if (bytes > MOST_BYTES) map.at("data").tooLong(MOST_BYTES);
  }

  /// @return size of all keys and values
  private static long checkKeys(Field part) {
    long bytes = 0;
    for (var key : part.names()) {
      Names.DATA_KEY.checkKey(part, key);
      bytes += MetadataRules.bytes(key) + MetadataRules.bytes(part.key(key).text());
    }
    return bytes;
  }

  @Override
  public void checkChange(Field map, Field stored) {
    SecretRules.checkFrozen(map, stored, List.of("data", "binaryData"));
  }
}
