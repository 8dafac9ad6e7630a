package dev.berth.apiserver.core.kind.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.MetadataRules;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/// CSINodes (API-102).
public final class CsiNodeRules implements Rules {
  private static final int MOST_NODE_ID_BYTES = 256;

  @Override
  public boolean versionlessUpdate() {
    return false;
  }

  @Override
  public void start(ObjectNode node, Instant now) {
    node.putObject("status");
  }

  @Override
  public void change(ObjectNode node, ObjectNode stored) {
    node.putObject("status");
  }

  /// A node without drivers says so.
  @Override
  public void setDefaults(ObjectNode node) {
    var spec = Trees.objectAt(node, "spec");
    if (!spec.has("drivers")) spec.putArray("drivers");
  }

  @Override
  public void check(Field node) {
    var names = new HashSet<String>();
    for (var driver : node.at("spec").at("drivers").elements()) {
      VolumeSources.checkDriverName(driver.at("name"));
      if (!names.add(driver.at("name").text())) driver.at("name").duplicate();
      var id = driver.at("nodeID");
      if (id.demand() && MetadataRules.bytes(id.text()) > MOST_NODE_ID_BYTES)
        id.tooLong(MOST_NODE_ID_BYTES);
      if (driver.at("allocatable").at("count").node().asInt() < 0)
        driver.at("allocatable").at("count").invalid("must be greater than or equal to 0");
      checkTopologyKeys(driver.at("topologyKeys"));
    }
  }

  private static void checkTopologyKeys(Field keys) {
    var seen = new HashSet<String>();
    for (var key : keys.elements()) {
      if (!key.demand()) continue;
      if (!seen.add(key.text())) key.duplicate();
      Names.QUALIFIED.check(key);
    }
  }

  /// A driver may come and go; while it is there, only its limit changes.
  @Override
  public void checkChange(Field node, Field stored) {
    var before = new HashMap<String, ObjectNode>();
    for (var driver : stored.at("spec").at("drivers").elements())
      if (driver.node() instanceof ObjectNode object) before.put(driver.at("name").text(), object);
    for (var driver : node.at("spec").at("drivers").elements()) {
      var old = before.get(driver.at("name").text());
      if (old != null
          && driver.node() instanceof ObjectNode object
          && !Trees.sameExcept(object, old, List.of("allocatable")))
        driver.invalid("field is immutable");
    }
  }
}
