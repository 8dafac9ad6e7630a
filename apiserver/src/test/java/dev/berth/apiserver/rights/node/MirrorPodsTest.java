package dev.berth.apiserver.rights.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.rights.Server;
import dev.berth.kube.object.Resources;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// API-12: the pods that a node makes are its own, and name nothing that is others'.
class MirrorPodsTest {
  private final Server server = new Server();
  private String uid = "";

  @BeforeEach
  void prepare() throws Exception {
    uid = server.create(Resources.NODES, "metadata: {name: a}").uid();
    server.create(Resources.NODES, "metadata: {name: b}");
  }

  private ObjectNode pod(String owners, String spec) throws Exception {
    return Server.tree(
        """
        metadata:
          name: p
          annotations: {kubernetes.io/config.mirror: h}
          ownerReferences: %s
        spec: {nodeName: a, %s}
        """
            .formatted(owners.replace("UID", uid), spec));
  }

  private Optional<String> check(ObjectNode pod) {
    return NodeRestriction.check("a", Resources.PODS, Optional.empty(), pod, server.state());
  }

  private static final String OWN =
      "[{apiVersion: v1, kind: Node, name: a, uid: UID, controller: true}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [{apiVersion: v1, kind: Node, name: a, uid: UID, controller: true}]                            | true
          [{apiVersion: v1, kind: Node, name: a, uid: UID, controller: true, blockOwnerDeletion: false}] | true
          []                                                                                             | false
          [{apiVersion: v1, kind: Node, name: a, uid: UID}]                                              | false
          [{apiVersion: v1, kind: Node, name: a, uid: UID, controller: false}]                           | false
          [{apiVersion: v1, kind: Node, name: a, uid: other, controller: true}]                          | false
          [{apiVersion: v1, kind: Node, name: b, uid: UID, controller: true}]                            | false
          [{apiVersion: v2, kind: Node, name: a, uid: UID, controller: true}]                            | false
          [{apiVersion: apps/v1, kind: ReplicaSet, name: a, uid: UID, controller: true}]                 | false
          [{apiVersion: v1, kind: Node, name: a, uid: UID, controller: true, blockOwnerDeletion: true}]  | false
          [{apiVersion: v1, kind: Node, name: a, uid: UID, controller: true}, {apiVersion: v1, kind: Node, name: a, uid: UID}] | false
          """)
  void theirOwnerIsTheNode(String owners, boolean allowed) throws Exception {
    assertThat(check(pod(owners, "containers: []")).isEmpty()).isEqualTo(allowed);
  }

  @Test
  void aNodeThatIsNotThereOwnsNothing() throws Exception {
    var pod = pod(OWN, "containers: []");
    var empty = new Server().state();
    assertThat(NodeRestriction.check("a", Resources.PODS, Optional.empty(), pod, empty))
        .isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "volumes: [{name: v, hostPath: {path: /x}}]",
        "volumes: [{name: v, emptyDir: {}}]",
        "volumes: [{name: v, downwardAPI: {}}]",
        "volumes: [{name: v, nfs: {server: s, path: /}}]",
        "volumes: [{name: v, projected: {sources: [{downwardAPI: {}}]}}]",
        "containers: [{name: c, env: [{name: A, value: b}, {name: B, valueFrom: {fieldRef:"
            + " {fieldPath: x}}}]}]",
      })
  void whatIsTheNodesOwnTheyMayName(String spec) throws Exception {
    assertThat(check(pod(OWN, spec))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serviceAccountName: admin",
        "serviceAccount: admin",
        "imagePullSecrets: [{name: s}]",
        "resourceClaims: [{name: r, resourceClaimName: c}]",
        "containers: [{name: c, envFrom: [{secretRef: {name: s}}]}]",
        "containers: [{name: c, envFrom: [{configMapRef: {name: s}}]}]",
        "containers: [{name: c, env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}]}]",
        "initContainers: [{name: c, env: [{name: A, valueFrom: {configMapKeyRef: {name: s, key:"
            + " k}}}]}]",
        "ephemeralContainers: [{name: c, envFrom: [{secretRef: {name: s}}]}]",
        "volumes: [{name: v, secret: {secretName: s}}]",
        "volumes: [{name: v, secret: {}}]",
        "volumes: [{name: v, configMap: {name: s}}]",
        "volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]",
        "volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {dataSource: {kind:"
            + " PersistentVolumeClaim, name: c}}}}}]",
        "volumes: [{name: v, csi: {driver: d}}]",
        "volumes: [{name: v, azureFile: {shareName: s}}]",
        "volumes: [{name: v, glusterfs: {endpoints: e, path: p}}]",
        "volumes: [{name: v, cephfs: {monitors: [m], secretRef: {name: s}}}]",
        "volumes: [{name: v, cinder: {volumeID: v, secretRef: {name: s}}}]",
        "volumes: [{name: v, flexVolume: {driver: d, secretRef: {name: s}}}]",
        "volumes: [{name: v, iscsi: {secretRef: {name: s}}}]",
        "volumes: [{name: v, rbd: {secretRef: {name: s}}}]",
        "volumes: [{name: v, scaleIO: {secretRef: {name: s}}}]",
        "volumes: [{name: v, storageos: {secretRef: {name: s}}}]",
        "volumes: [{name: v, projected: {sources: [{secret: {name: s}}]}}]",
        "volumes: [{name: v, projected: {sources: [{configMap: {name: s}}]}}]",
        "volumes: [{name: v, projected: {sources: [{serviceAccountToken: {path: t}}]}}]",
        "volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: b}}]}}]",
        "volumes: [{name: v, projected: {sources: [{podCertificate: {}}]}}]",
        "volumes: [{name: v, somethingNew: {}}]",
      })
  void whatIsOthersTheyDoNotName(String spec) throws Exception {
    assertThat(check(pod(OWN, spec))).isPresent();
  }
}
