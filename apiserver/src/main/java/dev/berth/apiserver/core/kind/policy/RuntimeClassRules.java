package dev.berth.apiserver.core.kind.policy;

import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.kind.Rules;
import java.util.List;

/// RuntimeClasses.
final class RuntimeClassRules implements Rules {
  @Override
  public boolean versionlessUpdate() {
    return false;
  }

  @Override
  public boolean createdByUpdate() {
    return true;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public List<String> quantities() {
    return List.of("overhead.podFixed.*");
  }

  @Override
  public void check(Field runtime) {
    if (runtime.at("handler").demand()) Names.LABEL.check(runtime.at("handler"));
  }

  @Override
  public void checkChange(Field runtime, Field stored) {
    runtime.at("handler").immutable(stored.at("handler"));
  }
}
