package dev.berth.apiserver.core.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.model.Json;
import dev.berth.kube.model.Resources;

/// ServiceAccount: each pod runs as an account that is there, `default` if it names none (API-114).
/// The volume with the account's token is left out: no node agent of Berth mounts `projected`
/// volumes, and the pod would wait for it for ever.
final class ServiceAccounts implements Plugin {
  @Override
  public void complete(Attempt attempt) {
    if (!attempt.creates(Resources.PODS)) return;
    if (!(attempt.object().get("spec") instanceof ObjectNode spec)) return;
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
    var secrets = account.object().path("imagePullSecrets");
    if (spec.path("imagePullSecrets").isEmpty() && !secrets.isEmpty())
      spec.set("imagePullSecrets", secrets.deepCopy());
  }
}
