package dev.berth.apiserver.core.kind.workload;

import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.kind.Rules;

/// ControllerRevisions: a state of a set, kept as it was.
final class RevisionRules implements Rules {
  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void check(Field revision) {
    if (!revision.at("data").isSet()) revision.at("data").required("data is mandatory");
    revision.at("revision").atLeast(0);
  }

  @Override
  public void checkChange(Field revision, Field stored) {
    revision.at("data").immutable(stored.at("data"));
  }
}
