package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.berth.cli.command.Berth;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Each mistake gets one line that says what was wrong and how to mend it, an exit code, and leaves
/// nothing behind.
@ResourceLock(Resources.SYSTEM_ERR)
class MistakesTest {
  @TempDir private Path folder;

  /// @param line as typed; `DIR` is an empty folder, `FILE` holds `text`
  record Mistake(String line, String text, int exitCode, String answer) {
    @Override
    public String toString() {
      return "berth " + line;
    }
  }

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      spec: {containers: [{name: c, image: host%s}]}
      """;

  private static final String CONTEXTS =
      """
      clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
      users: [{name: u, user: {token: t}}]
      contexts: [{name: red, context: {cluster: c, user: u}}, {name: green, context: {cluster: c, user: u}}]
      current-context: red
      """;

  static final List<Mistake> mistakes =
      List.of(
          of("frob", 2, "there is no command frob"),
          of("get pod --home=", 2, "--home is empty; name a folder, or leave it out"),
          of("up --home FILE", 1, "FILE is no folder; choose another --home"),
          of("up --home FILE/below", 1, "FILE is no folder; choose another --home"),
          of("up --home DIR/home --nodes 0", 2, "--nodes 0: choose a number from 1 to 100"),
          of("get pod --home DIR", 1, "berth is not up in DIR; start it: berth up --detach --home"),
          of("get pod web -A --home DIR", 2, "-A is for lists: an object that is named is in one"),
          of("get pod/web -l a=b --home DIR", 2, "-l is for lists, and web is named"),
          of(
              "logs web --tail -5 --home DIR",
              2,
              "--tail -5: give a number of lines, or -1 for all"),
          of("driver pre-stop --node a --timeout soon", 2, "--timeout soon is no time; write 30s"),
          new Mistake(
              "sidecar attacher --csi-address=/run/x.sock --kubeconfig FILE"
                  + " --http-endpoint=127.0.0.1:0 --metrics-path=/readyz",
              CONTEXTS,
              2,
              "--metrics-path /readyz: something else is served there; write one such as /metrics"),
          of("logs web --home DIR", 1, "berth is not up in DIR"),
          of("logs pvc/web --home DIR", 2, "only pods have logs, not persistentvolumeclaim/web"),
          of("logs pod/a/b --home DIR", 2, "\"a/b\" is no name of a Pod"),
          of("explain web --home DIR", 1, "\"web\" is not KIND/NAME, such as pod/web-0"),
          of("explain pod/a pod/b --home DIR", 1, "one object at a time, not pod/a pod/b"),
          of("explain pod a b --home DIR", 1, "one object at a time, not pod a b"),
          of("explain pod a --home DIR", 1, "berth is not up in DIR"),
          of("explain driver/d --watch --home DIR", 1, "--watch is for what waits, not for a"),
          new Mistake(
              "explain pod a --context blue --kubeconfig FILE",
              CONTEXTS,
              1,
              "--kubeconfig: there is no context \"blue\" in FILE; there are: green, red"),
          new Mistake(
              "explain pod/a --kubeconfig FILE",
              CONTEXTS,
              1,
              "the API server cannot be reached: GET /api/v1/namespaces/default/pods/a of"
                  + " 127.0.0.1:1: connection refused"),
          of("delete pod --home DIR", 2, "\"pod\" is not KIND/NAME, such as pod/web-0"),
          of("delete pod/web --home DIR", 1, "berth is not up in DIR"),
          of("delete pod web db --home DIR", 1, "berth is not up in DIR"),
          of("delete web db --home DIR", 1, "no kind \"web\"; there are "),
          of("delete pod pvc/data --home DIR", 2, "\"pvc/data\" is no name of a Pod"),
          of("delete pod/web data --home DIR", 2, "\"data\" is not KIND/NAME, such as pod/web-0"),
          of("apply -f DIR --home DIR", 1, "DIR is a folder; name the files in it"),
          of("explain frob/web --home DIR", 1, "no kind \"frob\"; berth explain takes pods, "),
          of("explain statefulset.apps/web --home DIR", 1, "berth is not up in DIR"),
          of("explain statefulsets.v1.apps web --home DIR", 1, "berth is not up in DIR"),
          of("explain persistentvolumeclaim/data --home DIR", 1, "berth is not up in DIR"),
          of(
              "explain volumesnapshot.snapshot.storage.k8s.io/s --home DIR",
              1,
              "berth is not up in DIR"),
          of("explain statefulset.batch/web --home DIR", 1, "no kind \"statefulset.batch\"; "),
          of(
              "explain deployment.apps/web --home DIR",
              1,
              "what keeps a Deployment waits for nobody, its pods do: berth explain --all finds"
                  + " those that are stuck; berth explain takes pods, "),
          of("delete statefulset.apps/web --home DIR", 1, "berth is not up in DIR"),
          of(
              "driver nosuch",
              2,
              "there is no driver nosuch; there are disk, baremetal, startup-taint, pre-stop"),
          of("node --kubeconfg FILE", 2, "unknown flag --kubeconfg: no kubelet has it"),
          of(
              "explain cm/web --home DIR",
              1,
              "nothing is decided over a ConfigMap that it could wait for; berth explain takes"
                  + " pods, "),
          of("run -o yaml FILE --home DIR", 2, "berth run prints text or json"),
          of("apply -f DIR/none --home DIR", 1, "DIR/none: there is no such file"),
          of(
              "driver pre-stop --node a --kubeconfig DIR/none",
              1,
              "--kubeconfig DIR/none: there is no such file"),
          of(
              "driver startup-taint --driver d --node a --kubeconfig DIR/none",
              1,
              "--kubeconfig DIR/none: there is no such file"),
          file("", "FILE holds no object; write YAML or JSON with apiVersion and kind"),
          file("\0\u0001", "FILE, line 1: neither YAML nor JSON: "),
          file("{kind: Pod", "FILE, line 1: neither YAML nor JSON: "),
          file("just words", "FILE: an object was expected, with apiVersion and kind"),
          file("kind: Pod", "FILE: an object without apiVersion"),
          file("apiVersion: v1\nkind: Frob\nmetadata: {name: a}", "FILE: berth does not know Frob"),
          file(
              "apiVersion: rbac.authorization.k8s.io/v1beta1\nkind: Role\nmetadata: {name: a}",
              "FILE: berth does not serve Role of rbac.authorization.k8s.io/v1beta1; it serves"
                  + " kind: Role of apiVersion: rbac.authorization.k8s.io/v1"),
          file(
              "apiVersion: apps/v1beta1\nkind: StatefulSet\nmetadata: {name: a}",
              "FILE: berth does not serve StatefulSet of apps/v1beta1; it serves kind: StatefulSet"
                  + " of apiVersion: apps/v1"),
          file(
              "apiVersion: v1\nkind: StorageClass\nmetadata: {name: a}",
              "FILE: berth does not serve StorageClass of v1; it serves kind: StorageClass of"
                  + " apiVersion: storage.k8s.io/v1"),
          file(
              "apiVersion: v1\nkind: pod\nmetadata: {name: a}",
              "FILE: berth does not serve pod of v1; it serves kind: Pod of apiVersion: v1"),
          file("apiVersion: v1\nkind: Pod", "FILE: a Pod without metadata.name"),
          file(
              POD.formatted(", comand: [sh]"),
              "FILE: pod/web: a Pod has no field spec.containers[0].comand"),
          file(POD.formatted(", tty: maybe"), "FILE: pod/web: "));

  private static Mistake of(String line, int exitCode, String answer) {
    return new Mistake(line, "", exitCode, answer);
  }

  private static Mistake file(String text, String answer) {
    return new Mistake("apply -f FILE --home DIR", text, 1, answer);
  }

  @ParameterizedTest
  @FieldSource
  void mistakes(Mistake mistake) throws IOException {
    var file = Files.writeString(folder.resolve("file"), mistake.text());
    var home = Files.createDirectory(folder.resolve("dir"));
    var words =
        Arrays.stream(mistake.line().split(" "))
            .map(word -> word.replace("FILE", file.toString()).replace("DIR", home.toString()))
            .toArray(String[]::new);
    var told = new ByteArrayOutputStream();
    var before = System.err;
    int exitCode;
    System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
    try {
      exitCode = Berth.run(words);
    } finally {
      System.setErr(before);
    }
    var lines = told.toString(StandardCharsets.UTF_8).lines().toList();
    assumeFalse(lines.getFirst().contains("mounts need root"), "mounts need root");
    assertThat(lines.getFirst().replace(file.toString(), "FILE").replace(home.toString(), "DIR"))
        .startsWith("berth: " + mistake.answer());
    assertThat(lines.stream().filter(line -> !line.startsWith("Try `berth"))).hasSize(1);
    assertThat(exitCode).isEqualTo(mistake.exitCode());
    assertThat(home).isEmptyDirectory();
  }
}
