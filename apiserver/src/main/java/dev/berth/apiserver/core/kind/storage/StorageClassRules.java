package dev.berth.apiserver.core.kind.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.MetadataRules;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import java.util.HashSet;
import java.util.Locale;

/// StorageClasses (API-95).
public final class StorageClassRules implements Rules {
  private static final int MOST_PARAMETERS = 512;
  private static final int MOST_PARAMETER_BYTES = 256 << 10;

  @Override
  public void setDefaults(ObjectNode storageClass) {
    Trees.setDefault(storageClass, "reclaimPolicy", "Delete");
    Trees.setDefault(storageClass, "volumeBindingMode", "Immediate");
  }

  @Override
  public void check(Field storageClass) {
    var provisioner = storageClass.at("provisioner");
    if (provisioner.demand() && !Names.QUALIFIED.admit(provisioner.text().toLowerCase(Locale.ROOT)))
      Names.QUALIFIED.check(provisioner);
    checkParameters(storageClass.at("parameters"));
    var policy = storageClass.at("reclaimPolicy");
    if (!policy.isOneOf("Delete", "Retain")) policy.notSupported("Delete", "Retain");
    var mode = storageClass.at("volumeBindingMode");
    if (!mode.isOneOf("Immediate", "WaitForFirstConsumer"))
      mode.notSupported("Immediate", "WaitForFirstConsumer");
    checkTopologies(storageClass.at("allowedTopologies"));
  }

  /// Opaque parameters of a driver.
  static void checkParameters(Field parameters) {
    if (parameters.node().size() > MOST_PARAMETERS) parameters.tooMany(MOST_PARAMETERS);
    long bytes = 0;
    for (var key : parameters.names()) {
      if (key.isEmpty()) parameters.invalid(key, "field can not be empty.");
      bytes += MetadataRules.bytes(key) + MetadataRules.bytes(parameters.key(key).text());
    }
    if (bytes > MOST_PARAMETER_BYTES) parameters.tooLong(MOST_PARAMETER_BYTES);
  }

  private static void checkTopologies(Field topologies) {
    var terms = new HashSet<JsonNode>();
    for (var term : topologies.elements()) {
      if (!terms.add(term.node())) term.at("matchLabelExpressions").duplicate();
      var keys = new HashSet<String>();
      for (var expression : term.at("matchLabelExpressions").elements()) {
        if (!keys.add(expression.at("key").text())) expression.at("key").duplicate();
        expression.at("values").demand();
      }
    }
  }

  @Override
  public void checkChange(Field storageClass, Field stored) {
    for (var field : new String[] {"parameters", "provisioner", "reclaimPolicy"})
      if (!storageClass.at(field).same(stored.at(field)))
        storageClass.at(field).forbidden("updates to " + field + " are forbidden.");
    storageClass.at("volumeBindingMode").immutable(stored.at("volumeBindingMode"));
  }
}
