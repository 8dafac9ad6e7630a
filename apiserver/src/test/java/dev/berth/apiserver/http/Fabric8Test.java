package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Fabric8's client works by the kubeconfig that we write (API-151).
@Timeout(120)
class Fabric8Test {
  @TempDir private static Path home;
  private static RunningServer server;
  private static KubernetesClient client;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
    var config = Config.fromKubeconfig(server.kubeconfig().toFile());
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  /// What one applies another does not take unless it forces (API-78, API-79, API-151).
  @Test
  void itAppliesOnTheServer() {
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("applied")
            .endMetadata()
            .addToData("a", "1")
            .build();
    var applied = client.resource(map).serverSideApply();
    assertThat(applied.getMetadata().getManagedFields())
        .extracting(entry -> entry.getManager() + " " + entry.getOperation())
        .containsExactly("fabric8 Apply");
    map.getData().put("a", "2");
    var other = client.resource(map).fieldManager("other");
    assertThatThrownBy(other::serverSideApply)
        .hasMessageContaining("conflict with \"fabric8\": .data.a");
    var forced = client.resource(map).fieldManager("other").forceConflicts().serverSideApply();
    assertThat(forced.getData()).containsEntry("a", "2");
  }

  @Test
  void itReadsTheVersion() { // API-32
    assertThat(client.getKubernetesVersion().getGitVersion()).startsWith("v1.37");
    assertThat(client.getKubernetesVersion().getBuildDate()).isNotNull();
  }

  @Test
  void itFindsWhatIsServed() { // API-35
    assertThat(client.getApiGroups().getGroups())
        .extracting(group -> group.getName())
        .contains("storage.k8s.io", "rbac.authorization.k8s.io", "authorization.k8s.io");
    assertThat(client.hasApiGroup("storage.k8s.io", true)).isTrue();
    assertThat(client.supports(PersistentVolumeClaim.class)).isTrue();
  }

  @Test
  void aClaimLives() {
    var claims = client.persistentVolumeClaims().inNamespace("default");
    var created = claims.resource(claim("life")).create();
    assertThat(created.getMetadata().getUid()).isNotEmpty();

    claims.withName("life").edit(Fabric8Test::labelled);
    claims
        .withName("life")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"annotations\":{\"a\":\"b\"},\"finalizers\":null}}");
    var changed = claims.withName("life").get();
    assertThat(changed.getMetadata().getLabels()).containsEntry("app", "web");
    assertThat(changed.getMetadata().getAnnotations()).containsEntry("a", "b");
    assertThat(claims.withLabel("app", "web").list().getItems()).hasSize(1);

    assertThatThrownBy(() -> claims.resource(claim("life")).create())
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            e -> {
              assertThat(e.getCode()).isEqualTo(409);
              assertThat(e.getStatus().getReason()).isEqualTo("AlreadyExists");
            });

    claims.withName("life").withTimeout(10, TimeUnit.SECONDS).delete();
    assertThat(claims.withName("life").get()).isNull();
  }

  @Test
  void anInformerFollows() {
    client.namespaces().resource(namespace("followed")).create();
    var claims = client.persistentVolumeClaims().inNamespace("followed");
    claims.resource(claim("before")).create();
    var seen = new Seen();
    try (var informer = claims.inform(seen)) {
      assertThat(seen.next()).isEqualTo("added before");
      claims.resource(claim("after")).create();
      assertThat(seen.next()).isEqualTo("added after");
      claims.withName("after").edit(Fabric8Test::labelled);
      assertThat(seen.next()).isEqualTo("updated after");
      claims.withName("after").edit(Fabric8Test::released);
      assertThat(seen.next()).isEqualTo("updated after");
      claims.withName("after").delete();
      assertThat(seen.next()).isEqualTo("deleted after");
      await().untilAsserted(() -> assertThat(informer.getStore().list()).hasSize(1));
    }
  }

  @Test
  void itReadsALog() {
    client
        .pods()
        .inNamespace("default")
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .withNodeName("a")
                .addNewContainer()
                .withName("c")
                .withImage("host")
                .endContainer()
                .endSpec()
                .build())
        .create();
    assertThat(client.pods().inNamespace("default").withName("web").getLog())
        .isEqualTo("log of c in default/web\n");
  }

  private static PersistentVolumeClaim claim(String name) {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withAccessModes("ReadWriteOnce")
        .withNewResources()
        .withRequests(Map.of("storage", new Quantity("1Gi")))
        .endResources()
        .endSpec()
        .build();
  }

  private static Namespace namespace(String name) {
    return new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  private static PersistentVolumeClaim labelled(PersistentVolumeClaim claim) {
    return new PersistentVolumeClaimBuilder(claim)
        .editMetadata()
        .addToLabels("app", "web")
        .endMetadata()
        .build();
  }

  private static PersistentVolumeClaim released(PersistentVolumeClaim claim) {
    return new PersistentVolumeClaimBuilder(claim)
        .editMetadata()
        .withFinalizers()
        .endMetadata()
        .build();
  }

  private static final class Seen implements ResourceEventHandler<PersistentVolumeClaim> {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @Nullable String next() {
      try {
        return events.poll(20, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void onAdd(PersistentVolumeClaim claim) {
      events.add("added " + claim.getMetadata().getName());
    }

    @Override
    public void onUpdate(PersistentVolumeClaim before, PersistentVolumeClaim after) {
      events.add("updated " + after.getMetadata().getName());
    }

    @Override
    public void onDelete(PersistentVolumeClaim claim, boolean unknown) {
      events.add("deleted " + claim.getMetadata().getName());
    }
  }
}
