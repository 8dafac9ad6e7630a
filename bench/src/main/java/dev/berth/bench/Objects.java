package dev.berth.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;

/// The objects that the benchmarks make.
final class Objects {
  static final String CLASS = "bench";
  static final String WAITING_CLASS = "bench-wait";
  static final String NAMESPACE = "default";

  private Objects() {}

  static ObjectNode storageClass(String name, String mode) {
    var object = object(Resources.STORAGE_CLASSES, name);
    object.put("provisioner", "disk.berth.dev").put("volumeBindingMode", mode);
    object.putObject("parameters").put("csi.storage.k8s.io/fstype", "ext4");
    return object;
  }

  static ObjectNode claim(String name, String storageClass) {
    var object = object(Resources.CLAIMS, name);
    var spec = object.putObject("spec").put("storageClassName", storageClass);
    spec.putArray("accessModes").add("ReadWriteOnce");
    spec.putObject("resources").putObject("requests").put("storage", "1Gi");
    return object;
  }

  /// A pod that does nothing on the claim of its name.
  static ObjectNode pod(String name) {
    var object = object(Resources.PODS, name);
    var spec = object.putObject("spec").put("restartPolicy", "Never");
    spec.put("terminationGracePeriodSeconds", 1);
    var container = spec.putArray("containers").addObject();
    container.put("name", "main").put("image", "host");
    container.putArray("command").add("sleep").add("3600");
    container.putArray("volumeMounts").addObject().put("name", "data").put("mountPath", "/data");
    var volume = spec.putArray("volumes").addObject().put("name", "data");
    volume.putObject("persistentVolumeClaim").put("claimName", name);
    return object;
  }

  private static ObjectNode object(Resource resource, String name) {
    var object =
        JsonNodeFactory.instance
            .objectNode()
            .put("apiVersion", resource.apiVersion())
            .put("kind", resource.kind());
    var meta = object.putObject("metadata").put("name", name);
    if (resource.namespaced()) meta.put("namespace", NAMESPACE);
    return object;
  }
}
