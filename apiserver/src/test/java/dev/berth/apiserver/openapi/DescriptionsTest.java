package dev.berth.apiserver.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.apiserver.core.state.Kinds;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// API-38: the documents say what kinds and fields are for, so that `kubectl explain` can.
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
