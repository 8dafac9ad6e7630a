package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes by which certificate the server is known (API-89): in `kube-system`, from where the
/// state machine takes it into every namespace.
final class RootCertificate {
  private static final Logger log = LoggerFactory.getLogger(RootCertificate.class);
  private static final ObjectKey KEY = ObjectKey.of("kube-system", "kube-root-ca.crt");

  private RootCertificate() {}

  /// A server that cannot store it, such as one whose disk is full, serves what it has.
  static void publish(ApiServer api, String certificate) throws IOException {
    var map = JsonNodeFactory.instance.objectNode();
    map.putObject("metadata").put("name", KEY.name());
    map.putObject("data").put("ca.crt", certificate);
    try {
      var answer = api.handle(new Request.Create(Resources.CONFIG_MAPS, KEY.namespace(), map));
      if (answer instanceof Answer.Refused(var refusal) && refusal.reason().equals("AlreadyExists"))
        answer = api.handle(change(map));
      if (answer instanceof Answer.Refused(var refusal))
        log.warn("configmap {} was not stored: {}", KEY, refusal.message());
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting", stopping);
    }
  }

  private static Request change(ObjectNode map) {
    return new Request.Change(Resources.CONFIG_MAPS, KEY, Request.Part.MAIN, Patch.merge(map));
  }
}
