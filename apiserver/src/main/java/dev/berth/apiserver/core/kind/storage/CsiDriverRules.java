package dev.berth.apiserver.core.kind.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import java.util.HashSet;
import java.util.Locale;

/// CSIDrivers (API-103).
public final class CsiDriverRules implements Rules {
  private static final long LEAST_TOKEN_SECONDS = 600;
  private static final long MOST_TOKEN_SECONDS = 1L << 32;
  private static final long LEAST_UPDATE_SECONDS = 10;

  @Override
  public Generation generation() {
    return Generation.FROM_ZERO;
  }

  @Override
  public boolean versionlessUpdate() {
    return false;
  }

  @Override
  public void setDefaults(ObjectNode driver) {
    var spec = Trees.objectAt(driver, "spec");
    Trees.setDefault(spec, "attachRequired", true);
    Trees.setDefault(spec, "podInfoOnMount", false);
    Trees.setDefault(spec, "storageCapacity", false);
    Trees.setDefault(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
    if (spec.path("volumeLifecycleModes").isEmpty())
      spec.putArray("volumeLifecycleModes").add("Persistent");
    Trees.setDefault(spec, "requiresRepublish", false);
    Trees.setDefault(spec, "seLinuxMount", false);
    Trees.setDefault(spec, "preventPodSchedulingIfMissing", false);
  }

  @Override
  public void check(Field driver) {
    var name = driver.at("metadata").at("name");
    if (!name.isEmpty() && Names.SUBDOMAIN.admit(name.text().toLowerCase(Locale.ROOT)))
      VolumeSources.checkDriverName(name);
    var spec = driver.at("spec");
    for (var mode : spec.at("volumeLifecycleModes").elements())
      if (!mode.isOneOf("Ephemeral", "Persistent"))
        mode.namedAs("spec.volumeLifecycleModes").notSupported("Ephemeral", "Persistent");
    var policy = spec.at("fsGroupPolicy");
    if (!policy.isOneOf("File", "None", "ReadWriteOnceWithFSType"))
      policy.notSupported("File", "None", "ReadWriteOnceWithFSType");
    checkTokens(spec);
    var period = spec.at("nodeAllocatableUpdatePeriodSeconds");
    if (period.isSet() && period.node().asLong() < LEAST_UPDATE_SECONDS)
      period.invalid("must be greater than or equal to 10 seconds");
  }

  private static void checkTokens(Field spec) {
    var audiences = new HashSet<String>();
    for (var request : spec.at("tokenRequests").elements()) {
      if (!audiences.add(request.at("audience").text())) request.at("audience").duplicate();
      var seconds = request.at("expirationSeconds");
      if (!seconds.isSet()) continue;
      if (seconds.node().asLong() < LEAST_TOKEN_SECONDS)
        seconds.invalid("may not specify a duration less than 10 minutes");
      if (seconds.node().asLong() > MOST_TOKEN_SECONDS)
        seconds.invalid("may not specify a duration larger than 2^32 seconds");
    }
    if (spec.at("serviceAccountTokenInSecrets").isSet() && spec.at("tokenRequests").isEmpty())
      spec.at("serviceAccountTokenInSecrets").invalid("must only be set when tokenRequests is set");
  }

  /// The path of the first is upstream's.
  @Override
  public void checkChange(Field driver, Field stored) {
    driver
        .at("spec")
        .at("attachRequired")
        .namedAs("spec.attachedRequired")
        .immutable(stored.at("spec").at("attachRequired"));
    driver
        .at("spec")
        .at("volumeLifecycleModes")
        .immutable(stored.at("spec").at("volumeLifecycleModes"));
  }
}
