package dev.berth.apiserver.core.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// Secrets.
final class SecretRules implements Rules {
  private static final int MOST_BYTES = 1 << 20;

  @Override
  public boolean goesQuietly() {
    return true;
  }

  /// `stringData` is only ever written: it ends in `data`.
  @Override
  public void setDefaults(ObjectNode secret) {
    Trees.setDefault(secret, "type", "Opaque");
    if (!(secret.remove("stringData") instanceof ObjectNode plain)) return;
    var data = Trees.objectAt(secret, "data");
    for (var entry : plain.properties()) {
      var bytes = entry.getValue().asText().getBytes(StandardCharsets.UTF_8);
      data.put(entry.getKey(), Base64.getEncoder().encodeToString(bytes));
    }
  }

  /// Values are not printed, not even wrong ones.
  @Override
  public void check(Field secret) {
    var data = secret.at("data");
    long bytes = 0;
    for (var key : data.names()) {
      Names.DATA_KEY.checkKey(data, key);
      try {
        bytes += Base64.getDecoder().decode(data.key(key).text()).length;
      } catch (IllegalArgumentException notBase64) {
        data.invalid(key, "its value is not base64");
      }
    }
    if (bytes > MOST_BYTES) data.tooLong(MOST_BYTES);
  }

  @Override
  public void checkChange(Field secret, Field stored) {
    secret.at("type").immutable(stored.at("type"));
    checkFrozen(secret, stored, List.of("data"));
  }

  /// What was once marked immutable stays as it is, the mark too.
  static void checkFrozen(Field object, Field stored, List<String> fields) {
    if (!stored.at("immutable").node().asBoolean()) return;
    if (!object.at("immutable").node().asBoolean())
      object.at("immutable").forbidden("field is immutable when `immutable` is set");
    for (var field : fields)
      if (!object.at(field).same(stored.at(field)))
        object.at(field).forbidden("field is immutable when `immutable` is set");
  }
}
