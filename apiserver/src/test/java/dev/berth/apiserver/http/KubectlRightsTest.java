package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Rights as the real `kubectl` shows them (API-11, API-28, API-153).
@Timeout(120)
class KubectlRightsTest {
  @TempDir private static Path home;
  private static Kubectl kubectl;
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    kubectl = Kubectl.in(home);
    server = RunningServer.in(home);
    Files.writeString(
        home.resolve("rights.yaml"),
        """
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: web}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: web-views}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
        subjects: [{kind: ServiceAccount, name: web}]
        """);
    assertThat(kubectl.says("apply", "-f", "rights.yaml"))
        .isEqualTo(
            """
            serviceaccount/web created
            rolebinding.rbac.authorization.k8s.io/web-views created
            """);
  }

  @AfterAll
  static void stop() {
    if (server != null) server.close();
  }

  @Test
  void aTokenGivesWhatItsAccountHas() throws Exception {
    var token = kubectl.says("create", "token", "web", "--duration=10m").strip();
    assertThat(kubectl.saysTo(token, "get", "pods"))
        .isEqualTo("No resources found in default namespace.\n");
    assertThat(kubectl.saysTo(token, "get", "pods", "-n", "kube-system"))
        .isEqualTo(
            "Error from server (Forbidden): pods is forbidden: User"
                + " \"system:serviceaccount:default:web\" cannot list resource \"pods\" in API"
                + " group \"\" in the namespace \"kube-system\"\n");
    assertThat(kubectl.saysTo(token, "get", "secret", "x"))
        .isEqualTo(
            "Error from server (Forbidden): secrets \"x\" is forbidden: User"
                + " \"system:serviceaccount:default:web\" cannot get resource \"secrets\" in API"
                + " group \"\" in the namespace \"default\"\n");
    assertThat(kubectl.saysTo(token, "get", "storageclass", "x"))
        .contains(
            "storageclasses.storage.k8s.io \"x\" is forbidden: User"
                + " \"system:serviceaccount:default:web\" cannot get resource \"storageclasses\" in"
                + " API group \"storage.k8s.io\" at the cluster scope");
    assertThat(kubectl.saysTo(token, "get", "--raw", "/metrics"))
        .contains(
            "forbidden: User \"system:serviceaccount:default:web\" cannot get path \"/metrics\"");
    assertThat(
            kubectl.saysTo(token, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"))
        .isEqualTo("system:serviceaccount:default:web");
  }

  @Test
  void canISaysYesOrNo() throws Exception {
    assertThat(kubectl.says("auth", "can-i", "delete", "nodes")).endsWith("yes\n");
    var web = "--as=system:serviceaccount:default:web";
    assertThat(kubectl.says("auth", "can-i", "list", "pods", web)).endsWith("yes\n");
    assertThat(kubectl.says("auth", "can-i", "delete", "pods", web)).endsWith("no\n");
    assertThat(kubectl.says("auth", "can-i", "get", "/metrics", web)).endsWith("no\n");
    assertThat(kubectl.says("auth", "can-i", "--list", web))
        .contains("configmaps")
        .contains("[get list watch]");
  }

  @Test
  void somebodyElseIsWhomTheAdministratorNames() throws Exception {
    assertThat(
            kubectl.says(
                "auth",
                "whoami",
                "--as=jane",
                "--as-group=dev",
                "--as-uid=42",
                "-o",
                "jsonpath={.status.userInfo}"))
        .isEqualTo(
            "{\"groups\":[\"dev\",\"system:authenticated\"],"
                + "\"uid\":\"42\",\"username\":\"jane\"}");
    var token = kubectl.says("create", "token", "web").strip();
    assertThat(kubectl.saysTo(token, "get", "pods", "--as=jane"))
        .contains(
            "users \"jane\" is forbidden: User \"system:serviceaccount:default:web\" cannot"
                + " impersonate resource \"users\" in API group \"\" at the cluster scope");
  }

  @Test
  void nobodyGivesThemselvesMore() throws Exception {
    kubectl.says("create", "serviceaccount", "boss");
    kubectl.says(
        "create", "rolebinding", "boss", "--clusterrole=admin", "--serviceaccount=default:boss");
    var token = kubectl.says("create", "token", "boss").strip();
    assertThat(kubectl.saysTo(token, "create", "role", "reader", "--verb=get", "--resource=pods"))
        .contains("created");
    assertThat(
            kubectl.saysTo(token, "create", "role", "all", "--verb=*", "--resource=storageclasses"))
        .contains(
            "roles.rbac.authorization.k8s.io \"all\" is forbidden: user"
                + " \"system:serviceaccount:default:boss\"")
        .contains("is attempting to grant RBAC permissions not currently held:")
        .contains(
            "{APIGroups:[\"storage.k8s.io\"], Resources:[\"storageclasses\"], Verbs:[\"*\"]}");
    assertThat(
            kubectl.saysTo(
                token,
                "patch",
                "role",
                "reader",
                "--type=json",
                "-p",
                "[{\"op\":\"add\",\"path\":\"/rules/0/apiGroups/-\",\"value\":\"storage.k8s.io\"},"
                    + "{\"op\":\"add\",\"path\":\"/rules/0/resources/-\",\"value\":\"csinodes\"}]"))
        .contains("is attempting to grant RBAC permissions not currently held");
    assertThat(
            kubectl.saysTo(
                token,
                "create",
                "rolebinding",
                "root",
                "--clusterrole=cluster-admin",
                "--user=eve"))
        .contains("is attempting to grant RBAC permissions not currently held");
  }

  @Test
  void aReviewIsCreatedFromAFile() throws Exception {
    Files.writeString(
        home.resolve("review.yaml"),
        """
        apiVersion: authorization.k8s.io/v1
        kind: SubjectAccessReview
        spec:
          user: system:kube-scheduler
          resourceAttributes: {verb: create, resource: pods, subresource: binding, namespace: x}
        """);
    assertThat(kubectl.says("create", "-f", "review.yaml", "-o", "jsonpath={.status}"))
        .contains("\"allowed\":true")
        .contains("RBAC: allowed by ClusterRoleBinding \\\"system:kube-scheduler\\\"");
  }
}
