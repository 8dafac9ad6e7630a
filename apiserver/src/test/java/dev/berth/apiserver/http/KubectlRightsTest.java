package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Rights as the real `kubectl` shows them (API-11, API-28, API-153).
@Timeout(120)
class KubectlRightsTest {
  @TempDir private static Path home;
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(executable().isPresent(), "no kubectl here");
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
    assertThat(kubectl("apply", "-f", "rights.yaml"))
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
    var token = kubectl("create", "token", "web", "--duration=10m").strip();
    assertThat(as(token, "get", "pods")).isEqualTo("No resources found in default namespace.\n");
    assertThat(as(token, "get", "pods", "-n", "kube-system"))
        .isEqualTo(
            "Error from server (Forbidden): pods is forbidden: User"
                + " \"system:serviceaccount:default:web\" cannot list resource \"pods\" in API"
                + " group \"\" in the namespace \"kube-system\"\n");
    assertThat(as(token, "get", "secret", "x"))
        .isEqualTo(
            "Error from server (Forbidden): secrets \"x\" is forbidden: User"
                + " \"system:serviceaccount:default:web\" cannot get resource \"secrets\" in API"
                + " group \"\" in the namespace \"default\"\n");
    assertThat(as(token, "get", "storageclass", "x"))
        .contains(
            "storageclasses.storage.k8s.io \"x\" is forbidden: User"
                + " \"system:serviceaccount:default:web\" cannot get resource \"storageclasses\" in"
                + " API group \"storage.k8s.io\" at the cluster scope");
    assertThat(as(token, "get", "--raw", "/metrics"))
        .contains(
            "forbidden: User \"system:serviceaccount:default:web\" cannot get path \"/metrics\"");
    assertThat(as(token, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"))
        .isEqualTo("system:serviceaccount:default:web");
  }

  @Test
  void canISaysYesOrNo() throws Exception {
    assertThat(kubectl("auth", "can-i", "delete", "nodes")).endsWith("yes\n");
    var web = "--as=system:serviceaccount:default:web";
    assertThat(kubectl("auth", "can-i", "list", "pods", web)).endsWith("yes\n");
    assertThat(kubectl("auth", "can-i", "delete", "pods", web)).endsWith("no\n");
    assertThat(kubectl("auth", "can-i", "get", "/metrics", web)).endsWith("no\n");
    assertThat(kubectl("auth", "can-i", "--list", web))
        .contains("configmaps")
        .contains("[get list watch]");
  }

  @Test
  void somebodyElseIsWhomTheAdministratorNames() throws Exception {
    assertThat(
            kubectl(
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
    var token = kubectl("create", "token", "web").strip();
    assertThat(as(token, "get", "pods", "--as=jane"))
        .contains(
            "users \"jane\" is forbidden: User \"system:serviceaccount:default:web\" cannot"
                + " impersonate resource \"users\" in API group \"\" at the cluster scope");
  }

  @Test
  void nobodyGivesThemselvesMore() throws Exception {
    kubectl("create", "serviceaccount", "boss");
    kubectl(
        "create", "rolebinding", "boss", "--clusterrole=admin", "--serviceaccount=default:boss");
    var token = kubectl("create", "token", "boss").strip();
    assertThat(as(token, "create", "role", "reader", "--verb=get", "--resource=pods"))
        .contains("created");
    assertThat(as(token, "create", "role", "all", "--verb=*", "--resource=storageclasses"))
        .contains(
            "roles.rbac.authorization.k8s.io \"all\" is forbidden: user"
                + " \"system:serviceaccount:default:boss\"")
        .contains("is attempting to grant RBAC permissions not currently held:")
        .contains(
            "{APIGroups:[\"storage.k8s.io\"], Resources:[\"storageclasses\"], Verbs:[\"*\"]}");
    assertThat(
            as(
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
            as(token, "create", "rolebinding", "root", "--clusterrole=cluster-admin", "--user=eve"))
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
    assertThat(kubectl("create", "-f", "review.yaml", "-o", "jsonpath={.status}"))
        .contains("\"allowed\":true")
        .contains("RBAC: allowed by ClusterRoleBinding \\\"system:kube-scheduler\\\"");
  }

  private static String as(String token, String... arguments) throws Exception {
    var config = Files.readString(home.resolve("kubeconfig"));
    var own = home.resolve("as-" + Integer.toHexString(token.hashCode()));
    Files.writeString(own, config.replaceAll("token: .*", "token: " + token));
    return run(own, arguments);
  }

  private static String kubectl(String... arguments) throws Exception {
    return run(home.resolve("kubeconfig"), arguments);
  }

  private static String run(Path kubeconfig, String... arguments) throws Exception {
    var command = new ArrayList<String>();
    command.add(executable().orElseThrow().toString());
    command.addAll(List.of("--kubeconfig", kubeconfig.toString()));
    command.addAll(List.of("--cache-dir", home.resolve("cache").toString()));
    command.addAll(List.of(arguments));
    var process =
        new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return text;
  }

  private static Optional<Path> executable() {
    var named = System.getProperty("berth.kubectl");
    if (named != null) return Optional.of(Path.of(named));
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, "kubectl"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
