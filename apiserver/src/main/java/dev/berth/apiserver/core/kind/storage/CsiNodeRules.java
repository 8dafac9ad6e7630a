package dev.berth.apiserver.core.kind.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.MetadataRules;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.StorageHealth;
import dev.berth.kube.model.VolumeHealth;
import dev.berth.kube.model.VolumeMode;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// CSINodes (API-102).
public final class CsiNodeRules implements Rules {
  private static final int MOST_NODE_ID_BYTES = 256;
  private static final int MOST_CONDITIONS = 16;
  private static final int MOST_REASON_BYTES = 256;
  private static final int MOST_MESSAGE_BYTES = 1024;
  private static final Pattern REASON = Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?");
  private static final String NO_REASON =
      "a condition reason must start with alphabetic character, optionally followed by a string of"
          + " alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'"
          + " (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or"
          + " 'ReasonA:ReasonB', regex used for validation is"
          + " '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

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
    Trees.objectAt(node, "status");
  }

  @Override
  public void changeStatus(ObjectNode node, ObjectNode stored, Instant now) {
    Trees.objectAt(node, "status");
  }

  @Override
  public List<String> keptByStatusWrite() {
    return List.of("labels", "annotations", "finalizers", "ownerReferences");
  }

  /// VH-09.
  @Override
  public void checkStatus(Field node) {
    var seen = new HashSet<String>();
    for (var health : node.at("status").at(StorageHealth.FIELD).elements()) {
      if (!seen.add(health.at("name").text())) health.duplicate();
      if (health.at("name").demand()) VolumeSources.checkDriverName(health.at("name"));
      var conditions = health.at(VolumeHealth.LIST);
      if (conditions.elements().size() > MOST_CONDITIONS) conditions.tooMany(MOST_CONDITIONS);
      else conditions.elements().forEach(CsiNodeRules::checkCondition);
    }
  }

  private static void checkCondition(Field condition) {
    condition.at("status").demandOneOf(StorageHealth.DEGRADED, StorageHealth.UNREACHABLE);
    var reason = condition.at("reason");
    if (reason.demand()) {
      if (!REASON.matcher(reason.text()).matches()) reason.invalid(NO_REASON);
      if (MetadataRules.bytes(reason.text()) > MOST_REASON_BYTES) reason.tooLong(MOST_REASON_BYTES);
    }
    if (MetadataRules.bytes(condition.at("message").text()) > MOST_MESSAGE_BYTES)
      condition.at("message").tooLong(MOST_MESSAGE_BYTES);
    var access = condition.at("accessMode");
    if (access.isSet())
      access.demandOneOf(
          AccessMode.READ_ONLY_MANY.text(),
          AccessMode.READ_WRITE_MANY.text(),
          AccessMode.READ_WRITE_ONCE.text(),
          AccessMode.READ_WRITE_ONCE_POD.text());
    var mode = condition.at("volumeMode");
    if (mode.isSet()) mode.demandOneOf(VolumeMode.FILESYSTEM.text(), VolumeMode.BLOCK.text());
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
