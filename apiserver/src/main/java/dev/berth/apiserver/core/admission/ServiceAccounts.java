package dev.berth.apiserver.core.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;

/// ServiceAccount: each pod runs as an account that is there, `default` if it names none, and its
/// containers find the account's token (API-114).
final class ServiceAccounts implements Plugin {
  @Override
  public void complete(Attempt attempt) {
    if (!attempt.creates(Resources.PODS)) return;
    if (!(attempt.object().get("spec") instanceof ObjectNode spec)) return;
    if (attempt.object().path("metadata").path("annotations").has(Annotations.CONFIG_MIRROR)) {
      checkMirror(attempt, spec);
      return;
    }
    var wanted = Json.text(spec, "serviceAccountName");
    var name = wanted.isEmpty() ? "default" : wanted;
    var account =
        attempt
            .neighbour(Resources.SERVICE_ACCOUNTS, name)
            .orElseThrow(() ->
                attempt.forbidden(
                    "error looking up service account %s/%s: serviceaccount \"%s\" not found"
                        .formatted(attempt.key().namespace(), name, name)));
    spec.put("serviceAccountName", name).put("serviceAccount", name);
    if (automount(spec, account.object())) TokenVolume.mount(spec, attempt.suffix());
    var secrets = account.object().path("imagePullSecrets");
    if (spec.path("imagePullSecrets").isEmpty() && !secrets.isEmpty())
      spec.set("imagePullSecrets", secrets.deepCopy());
  }

  /// A pod that a node shows of itself has no account, and nothing that only an account may read.
  private static void checkMirror(Attempt attempt, JsonNode spec) {
    if (!Json.text(spec, "serviceAccountName").isEmpty())
      throw attempt.forbidden("a mirror pod may not reference service accounts");
    for (var volume : spec.path("volumes")) {
      if (volume.hasNonNull("secret"))
        throw attempt.forbidden("a mirror pod may not reference secrets");
      for (var source : volume.path("projected").path("sources"))
        if (source.hasNonNull("serviceAccountToken"))
          throw attempt.forbidden(
              "a mirror pod may not use ServiceAccountToken volume projections");
    }
  }

  /// The pod's wish goes before its account's.
  private static boolean automount(JsonNode spec, JsonNode account) {
    var field = "automountServiceAccountToken";
    return spec.path(field).isBoolean()
        ? spec.path(field).asBoolean()
        : account.path(field).asBoolean(true);
  }
}
