package dev.berth.apiserver.core.kind;

import dev.berth.apiserver.core.field.Field;

/// Events (API-137).
final class EventRules implements Rules {
  @Override
  public boolean createdByUpdate() {
    return true;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  /// An event stands beside the object that it is about; one about an object without a namespace
  /// may stand anywhere.
  @Override
  public void check(Field event) {
    var about = event.at("involvedObject").at("namespace");
    if (!about.isEmpty() && !about.is(event.at("metadata").at("namespace").text()))
      about.invalid("does not match event.namespace");
  }
}
