package dev.berth.controller.attachdetach;

import static dev.berth.controller.Draft.attachment;
import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.name;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Draft.volume;

import dev.berth.controller.Cluster;
import dev.berth.controller.Means;
import dev.berth.controller.binder.Binder;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Upstream's role for this controller has no `patch` of attachments.
class AttachmentRightsTest {
  @Test
  void whoMayNotPatchAttachmentsTellsNodesOfThoseThatAreThere() throws Exception { // AD-63
    try (var cluster =
        Cluster.of(means -> {
          var attacher = new TestAttacher(means.api(), _ -> {});
          return List.of(
              Binder.claims(Binder.Options.DEFAULT).controller(means),
              Binder.volumes().controller(means),
              AttachDetach.volumes(AttachDetach.Options.DEFAULT).controller(forbidden(means)),
              new Controller<>(attacher, attacher));
        })) {
      cluster.create(
          node("node-a"),
          volume("pv-1"),
          claim("data").set("spec.volumeName", "pv-1"),
          attachment("pv-1", "node-a"),
          pod("web", "data").set("spec.nodeName", "node-a"));
      cluster.until(
          Kinds.NODE,
          ObjectKey.cluster("node-a"),
          it -> it.volumesAttached().contains(name("pv-1").toString()));
    }
  }

  private static Means forbidden(Means means) {
    var api =
        (Api)
            Proxy.newProxyInstance(
                Api.class.getClassLoader(),
                new Class<?>[] {Api.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("patch")
                      && Resources.ATTACHMENTS.equals(arguments[0]))
                    throw new ApiException(403, "Forbidden", "cannot patch volumeattachments");
                  try {
                    return method.invoke(means.api(), arguments);
                  } catch (InvocationTargetException thrown) {
                    throw thrown.getCause();
                  }
                });
    return new Means(api, means.latest(), means.events(), means.metrics());
  }
}
