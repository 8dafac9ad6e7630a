package dev.berth.apiserver.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.apiserver.core.state.Kinds;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// API-38, API-40: the documents say what kinds and fields are for, so that `kubectl explain` can.
class DescriptionsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final OpenApi DOCUMENTS = new OpenApi("v1", Kinds.builtIn());

  private static JsonNode schemas(String path) throws Exception {
    var document = DOCUMENTS.document(path).orElseThrow();
    return JSON.readTree(document.json()).path("components").path("schemas");
  }

  private static String said(String path, String structure, String field) throws Exception {
    var schema = schemas(path).path("io.k8s." + structure);
    return Json.text(
        field.isEmpty() ? schema : schema.path("properties").path(field), "description");
  }

  @Test
  void kindsAndFieldsSayWhatTheyAreFor() throws Exception {
    assertThat(said("api/v1", "api.core.v1.PersistentVolumeClaimSpec", "accessModes"))
        .contains("access modes the volume should have");
    assertThat(said("api/v1", "api.core.v1.PersistentVolumeClaim", "")).contains("claim");
    assertThat(said("apis/apps/v1", "api.apps.v1.StatefulSetSpec", "replicas"))
        .contains("desired number of replicas");
    assertThat(said("apis/storage.k8s.io/v1", "api.storage.v1.StorageClass", "provisioner"))
        .contains("provisioner");
    assertThat(said("api/v1", "apimachinery.pkg.apis.meta.v1.ObjectMeta", "finalizers"))
        .contains("deleted");
  }

  /// As people read it, not as Javadoc writes it.
  @Test
  void theyAreText() throws Exception {
    var group = said("api/v1", "api.core.v1.PodSecurityContext", "fsGroup");
    assertThat(group).contains(":\n").doesNotContain("<br>", "<p>", "&lt;");
    assertThat(said("api/v1", "api.core.v1.ContainerStatus", "containerID"))
        .contains("'<type>://<container_id>'");
  }

  /// API-40: upstream's documents are made here and not shipped: one for each group and version
  /// that is served, with all that is served of it and nothing else. Those of custom kinds are made
  /// alike (`CustomResourcesTest`).
  @Test
  void eachGroupAndVersionHasADocumentOfItsKinds() throws Exception {
    var served = new TreeSet<String>();
    for (var kind : Kinds.builtIn().all()) {
      var resource = kind.resource();
      var path =
          resource.group().isEmpty()
              ? "api/" + resource.version()
              : "apis/" + resource.group() + "/" + resource.version();
      served.add(path);
      var document = JSON.readTree(DOCUMENTS.document(path).orElseThrow().json());
      var url = "/" + path + (resource.namespaced() ? "/namespaces/{namespace}/" : "/");
      assertThat(document.path("paths").has(url + resource.plural())).as(url).isTrue();
    }
    var documents = new TreeSet<String>();
    DOCUMENTS.index().path("paths").fieldNames().forEachRemaining(documents::add);
    assertThat(documents).containsAll(served);
  }

  /// API-40: and nothing that is not done, as upstream's documents do.
  @Test
  void pathsHaveTheMethodsThatAreServed() throws Exception {
    assertThat(methods("apis/authorization.k8s.io/v1", "subjectaccessreviews"))
        .containsExactly("post");
    assertThat(methods("apis/authorization.k8s.io/v1", "subjectaccessreviews/{name}")).isEmpty();
    assertThat(methods("api/v1", "nodes/{name}/status")).containsExactly("get", "patch", "put");
    assertThat(methods("api/v1", "nodes/{name}")).containsExactly("delete", "get", "patch", "put");
  }

  private static TreeSet<String> methods(String document, String path) throws Exception {
    var json = JSON.readTree(DOCUMENTS.document(document).orElseThrow().json());
    var methods = new TreeSet<String>();
    json.path("paths")
        .path("/" + document + "/" + path)
        .fieldNames()
        .forEachRemaining(methods::add);
    return methods;
  }

  /// What only the newest Kubernetes has may be missing, and what is a structure of its own.
  @Test
  void nineOfTenAreSaid() throws Exception {
    int all = 0;
    var silent = new TreeSet<String>();
    for (var path : DOCUMENTS.index().path("paths").properties())
      for (var schema : schemas(path.getKey()).properties())
        for (var field : schema.getValue().path("properties").properties()) {
          if (field.getValue().has("allOf") || schema.getKey().endsWith("List")) continue;
          all++;
          if (!field.getValue().has("description"))
            silent.add(schema.getKey() + "." + field.getKey());
        }
    assertThat(all).isGreaterThan(1_500);
    assertThat(new ArrayList<>(silent)).as("of " + all).hasSizeLessThan(all / 10);
  }
}
