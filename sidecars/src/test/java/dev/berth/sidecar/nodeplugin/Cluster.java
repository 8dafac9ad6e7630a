package dev.berth.sidecar.nodeplugin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.apiserver.store.StoreException;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.sidecar.testing.Tree;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;

/// The real API server with one node, `n1`, on real time.
final class Cluster implements AutoCloseable {
  /// Called before each request.
  interface Trouble {
    void before(String method, Object... arguments);
  }

  private final EmbeddedApiServer server;
  final Api api;
  volatile Trouble trouble = (_, _) -> {};

  /// The same server for who is under test: it meets the trouble.
  final Api door;

  Cluster() throws StoreException {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, Thread::startVirtualThread);
    door =
        (Api)
            Proxy.newProxyInstance(
                Api.class.getClassLoader(),
                new Class<?>[] {Api.class},
                (_, method, arguments) -> {
                  trouble.before(method.getName(), arguments);
                  try {
                    return method.invoke(api, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
  }

  static ApiException forbidden() {
    return new ApiException(403, "Forbidden", "nodes \"n1\" is forbidden");
  }

  void create(Resource resource, String json) {
    api.create(resource, Tree.of(json).json());
  }

  /// The node, with these taints.
  void node(String... keys) {
    var taints =
        List.of(keys).stream()
            .map(key -> "{\"key\": \"%s\", \"effect\": \"NoExecute\"}".formatted(key))
            .toList();
    create(
        Resources.NODES,
        """
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"},
         "spec": {"taints": %s}}
        """
            .formatted(taints));
  }

  List<String> taints() {
    return Json.list(
        get(Resources.NODES, "n1").path("spec").path("taints"), it -> Json.text(it, "key"));
  }

  ObjectNode get(Resource resource, String name) {
    return api.get(resource, ObjectKey.cluster(name));
  }

  /// @param allocatable as in a CSINode; empty: none
  void register(String driver, String allocatable) {
    create(
        Resources.CSI_NODES,
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "n1"},
         "spec": {"drivers": [{"name": "%s", "nodeID": "id"%s}]}}
        """
            .formatted(driver, allocatable.isEmpty() ? "" : ", \"allocatable\": " + allocatable));
  }

  void attach(String name, String node) {
    create(
        Resources.ATTACHMENTS,
        """
        {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment",
         "metadata": {"name": "%s"},
         "spec": {"attacher": "disk.example", "nodeName": "%s",
           "source": {"persistentVolumeName": "pv-1"}}}
        """
            .formatted(name, node));
  }

  void delete(Resource resource, String name) {
    api.delete(resource, ObjectKey.cluster(name), DeleteOptions.DEFAULT);
  }

  void merge(String json) {
    api.patch(Resources.NODES, ObjectKey.cluster("n1"), Patch.merge(Tree.of(json).json()));
  }

  @Override
  public void close() {
    server.close();
  }
}
