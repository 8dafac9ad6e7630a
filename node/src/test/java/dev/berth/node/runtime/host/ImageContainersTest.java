package dev.berth.node.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.mount.Propagation;
import dev.berth.node.image.ImageImport;
import dev.berth.node.image.ImageName;
import dev.berth.node.image.ImageStore;
import dev.berth.node.image.ImageStoreWriter;
import dev.berth.node.image.TestImage;
import dev.berth.node.image.TestTar;
import dev.berth.node.runtime.Container;
import dev.berth.node.runtime.ContainerMount;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Root;
import dev.berth.node.runtime.ExecSpec;
import dev.berth.node.runtime.ImageRequest;
import dev.berth.node.runtime.ImageRequest.Policy;
import dev.berth.node.runtime.Program;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.User;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Containers whose root is an image (NRUN-03): what is in it, and what its author says of it where
/// the pod's says nothing.
class ImageContainersTest {
  private static final String NAME = "localhost/test:1";

  @AutoClose private ContainerBench bench;
  private final TestImage image = new TestImage();

  @BeforeEach
  void open() throws Exception {
    assumeTrue(TestImage.hasBusybox(), "needs a busybox that is linked statically");
    bench = ContainerBench.open();
  }

  private ImageStore store() {
    return ImportedImages.of(bench.layout).store();
  }

  private void bring(TestTar... layers) throws IOException {
    image.layer(TestImage.shell().bytes());
    for (var layer : layers) image.layer(layer.bytes());
    var file = image.tar(bench.directory.resolve("image.tar"), "");
    try (var writer = writer()) {
      new ImageImport(writer, TestImage.MACHINE, 1 << 26).run(file, List.of(ImageName.parse(NAME)));
    }
  }

  private ImageStoreWriter writer() throws IOException {
    return ImageStoreWriter.open(store(), () -> ImportedImages.inUse(bench.layout));
  }

  /// With what the pod says, `command` and `args` apart.
  private ContainerSpec spec(List<String> command, List<String> arguments) {
    var spec = With.image(bench.script(""), NAME);
    var words = new ArrayList<>(command);
    words.addAll(arguments);
    return With.engine(
        With.program(spec, new Program(words, Map.of(), "")),
        command,
        arguments,
        OptionalLong.empty(),
        false);
  }

  private ContainerSpec shell(String script) {
    return spec(List.of("sh", "-c", script), List.of());
  }

  @Test
  void theRootIsTheImagesAndChangesAreTheContainersOwn() throws Exception {
    bring(
        new TestTar()
            .folder("data/", 0755)
            .file("data/old", 0644, "old")
            .file("data/gone", 0644, ""),
        new TestTar().file("data/.wh.gone", 0644, "").file("data/new", 0644, "new"));
    var log =
        bench.run(
            shell(
                "ls / /data; echo x > /data/new; cat /data/old; cat /etc/hosts > /dev/null && ls"
                    + " /usr/bin /root /home"));
    assertThat(log.lines())
        .contains("new", "old", "data", "bin", "proc", "sys", "dev")
        .doesNotContain("gone", "usr", "var", "root", "home");
    assertThat(log).contains("No such file");
    var layers = store().find(NAME).orElseThrow().layers();
    assertThat(store().layer(layers.getLast()).resolve("data/new")).hasContent("new");
    assertThat(store().layer(layers.getFirst()).resolve("etc/hosts")).doesNotExist();
  }

  @Test
  void commandAndArgumentsAreKubernetesOwn() throws Exception {
    image.config.withObject("/config").putArray("Entrypoint").add("/bin/sh").add("-c");
    image.config.withObject("/config").putArray("Cmd").add("echo from the image");
    bring();
    assertThat(bench.run(spec(List.of(), List.of()))).isEqualTo("from the image\n");
    bench.runtime.remove(bench.script("").id());
    Files.delete(bench.log());
    bench.ended.clear();
    assertThat(bench.run(spec(List.of(), List.of("echo arguments")))).isEqualTo("arguments\n");
    bench.runtime.remove(bench.script("").id());
    Files.delete(bench.log());
    bench.ended.clear();
    assertThat(bench.run(spec(List.of("env"), List.of()))).doesNotContain("from the image");
  }

  @Test
  void withoutAnyCommandItIsRefused() throws Exception {
    bring();
    refused(
        spec(List.of(), List.of()), Reason.CREATE_CONTAINER_CONFIG_ERROR, "no command specified");
  }

  private void refused(ContainerSpec spec, Reason reason, String words) {
    assertThatThrownBy(() -> bench.runtime.start(spec))
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.reason()).isEqualTo(reason))
        .hasMessageContaining(words);
    assertThat(bench.layout.container("pod-1", "app")).doesNotExist();
  }

  @Test
  void environmentAndFolderAreTheImagesUnlessThePodSaysElse() throws Exception {
    var config = image.config.withObject("/config");
    config.putArray("Env").add("A=image").add("B=image").add("PATH=/opt:/bin");
    config.put("WorkingDir", "/work");
    bring(new TestTar().folder("opt/", 0755).file("opt/tool", 0755, "#!/bin/sh\necho tool\n"));
    var spec = shell("echo $A $B; pwd; tool");
    var own = new Program(spec.program().command(), Map.of("B", "pod"), "");
    assertThat(bench.run(With.program(spec, own))).isEqualTo("image pod\n/work\ntool\n");
  }

  @Test
  void theUserIsLookedUpInTheImage() throws Exception {
    image.config.withObject("/config").put("User", "web:staff");
    bring(accounts());
    assertThat(bench.run(shell("id -u; id -g; id -G; echo $HOME; touch /etc/x || echo no")))
        .startsWith("1234\n50\n50 77\n/srv\n")
        .endsWith("no\n");
  }

  private static TestTar accounts() {
    return new TestTar()
        .folder("etc/", 0755)
        .file("etc/passwd", 0644, "root:x:0:0::/root:/bin/sh\nweb:x:1234:1235::/srv:/bin/sh\n")
        .file("etc/group", 0644, "root:x:0:\nstaff:x:50:\nextra:x:77:web,other\n");
  }

  @Test
  void thePodsUserComesFirst() throws Exception {
    image.config.withObject("/config").put("User", "web");
    bring(accounts());
    var spec = shell("id -u; id -g; id -G");
    var own =
        With.engine(
            With.user(spec, new User(1234, 0, List.of(9))),
            spec.engine().command(),
            List.of(),
            OptionalLong.of(1234),
            true);
    assertThat(bench.run(own)).isEqualTo("1234\n1235\n1235 9 77\n");
  }

  @Test
  void whoMustNotBeRootIsNot() throws Exception {
    bring(accounts());
    var root = shell("id");
    var careful = With.engine(root, root.engine().command(), List.of(), OptionalLong.empty(), true);
    refused(careful, Reason.CREATE_CONTAINER_CONFIG_ERROR, "image will run as root");
    image.config.withObject("/config").put("User", "web");
    bring();
    refused(careful, Reason.CREATE_CONTAINER_CONFIG_ERROR, "non-numeric user (web)");
    image.config.withObject("/config").put("User", "nobody-here");
    bring();
    refused(root, Reason.CREATE_CONTAINER_ERROR, "unable to find user nobody-here");
  }

  @Test
  void theSignalThatEndsItIsTheImages() throws Exception {
    image.config.withObject("/config").put("StopSignal", "SIGINT");
    bring();
    var spec = shell("trap 'echo interrupted; exit 5' INT; echo ready; while :; do sleep 1; done");
    bench.runtime.start(spec);
    bench.awaitLog("ready");
    bench.runtime.terminate(spec.id());
    assertThat(bench.awaitEnd(spec.id()).exitCode()).isEqualTo(5);
  }

  @Test
  void itSaysFromWhichImageItRuns() throws Exception {
    bring();
    var image = store().find(NAME).orElseThrow().reference();
    assertThat(bench.runtime.start(shell("exit 0")).image()).isEqualTo(image);
    bench.awaitEnd(shell("").id());
    assertThat(bench.runtime.list()).extracting(Container::image).containsExactly(image);
  }

  @Test
  void aDamagedNoteKeepsNobodyFromEndingTheContainer() throws Exception {
    bring();
    var spec = shell("trap 'echo ended; exit 5' TERM; echo ready; while :; do sleep 1; done");
    bench.runtime.start(spec);
    bench.awaitLog("ready");
    var note = bench.layout.container("pod-1", "app").resolve("0").resolve("image");
    Files.writeString(note, "{", StandardOpenOption.TRUNCATE_EXISTING);
    assertThat(bench.runtime.list()).extracting(Container::image).containsExactly("");
    bench.runtime.terminate(spec.id());
    assertThat(bench.awaitEnd(spec.id()).exitCode()).isEqualTo(5);
  }

  @Test
  void volumesExecAndAReadOnlyRootAreAsElsewhere() throws Exception {
    image.config.withObject("/config").putArray("Env").add("A=image");
    bring(new TestTar().link("etc/resolv.conf", "../run/nowhere/resolv.conf"));
    var volume = bench.make("volume");
    var spec =
        With.root(
            With.mounts(
                shell(
                    "touch /data/x; touch /y || echo read-only; cat /etc/resolv.conf; echo ready;"
                        + " sleep 60"),
                new ContainerMount(
                    volume, "/data", ContainerMount.Access.READ_WRITE, Propagation.PRIVATE)),
            Root.READ_ONLY);
    bench.runtime.start(spec);
    bench.awaitLog("ready");
    assertThat(bench.logged()).contains("read-only");
    assertThat(bench.logged()).contains(Files.readString(Path.of("/etc/resolv.conf")));
    assertThat(volume.resolve("x")).exists();
    try (var run =
        bench.runtime.exec(
            spec.id(), new ExecSpec(List.of("sh", "-c", "echo $A"), ExecSpec.Terminal.NONE))) {
      assertThat(new String(run.output().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("image\n");
    }
  }

  @Test
  void anImageStaysAsLongAsAContainerRuns() throws Exception {
    bring();
    var spec = shell("echo ready; sleep 60");
    bench.runtime.start(spec);
    bench.awaitLog("ready");
    try (var writer = writer()) {
      assertThatThrownBy(() -> writer.remove(NAME))
          .hasMessageContaining("in use by container app of pod pod-1");
    }
    bench.runtime.kill(spec.id());
    try (var writer = writer()) {
      writer.remove(NAME);
    }
    assertThat(store().list()).isEmpty();
    bench.runtime.remove(spec.id());
    refused(spec, Reason.ERR_IMAGE_NEVER_PULL, "berth image import");
  }

  @Test
  void whatIsNotHereIsSaidInWords() {
    for (var policy : Policy.values())
      assertThatThrownBy(() ->
              bench.runtime.obtainImage(new ImageRequest("pod-1", "nginx:1.29", policy, List::of)))
          .isInstanceOfSatisfying(
              RefusedException.class,
              refused -> assertThat(refused.reason().word()).isEqualTo("ErrImageNeverPull"))
          .hasMessageContaining(
              "berth image import FILE --name docker.io/library/nginx:1.29 --root-dir "
                  + bench.layout.root());
    var digest = "sha256:" + "0".repeat(64);
    for (var name : List.of("localhost/web@" + digest, "localhost/web:1@" + digest))
      assertThatThrownBy(() ->
              bench.runtime.obtainImage(
                  new ImageRequest("pod-1", name, Policy.IF_NOT_PRESENT, List::of)))
          .hasMessageContaining("image \"" + name + "\"")
          .hasMessageContaining(
              "berth image import FILE --name localhost/web:%s --root-dir"
                  .formatted(name.contains(":1@") ? "1" : "latest"))
          .hasMessageContaining("an OCI layout")
          .hasMessageContaining(digest + ", which");
    assertThatThrownBy(() ->
            bench.runtime.obtainImage(
                new ImageRequest("pod-1", "no such:name:x", Policy.ALWAYS, List::of)))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.INVALID_IMAGE_NAME));
  }
}
