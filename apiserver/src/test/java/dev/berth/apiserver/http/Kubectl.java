package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The real `kubectl`: the one that `-Dberth.kubectl=` names, or that is on the path.
///
/// @param executable where it is
/// @param home where a server's kubeconfig lies
/// @param folder where it works, and where relative names of files begin
record Kubectl(Path executable, Path home, Path folder) {
  private static final int PATIENCE_SECONDS = 60;

  /// Where there is none, the test is left out.
  ///
  /// @param home where a server's kubeconfig lies, or will; it works there
  static Kubectl in(Path home) {
    var found = find();
    assumeTrue(found.isPresent(), "no kubectl here");
    return new Kubectl(found.get(), home, home);
  }

  /// The same, working elsewhere.
  Kubectl at(Path elsewhere) {
    return new Kubectl(executable, home, elsewhere);
  }

  private static Optional<Path> find() {
    var named = System.getProperty("berth.kubectl");
    if (named != null) return Optional.of(Path.of(named));
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, "kubectl"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// What came of it.
  ///
  /// @param text what was printed, errors too
  record Output(int exitCode, String text) {}

  Output run(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(command("kubeconfig"));
    command.addAll(List.of(arguments));
    return run(command);
  }

  /// What is printed, errors too.
  String says(String... arguments) throws IOException, InterruptedException {
    return run(arguments).text();
  }

  /// What is printed when somebody types `arguments` into a shell.
  String typed(String arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" " + arguments, "sh"));
    command.addAll(command("kubeconfig"));
    return run(command).text();
  }

  /// What is printed to whoever has no other credential than a token.
  String saysTo(String token, String... arguments) throws IOException, InterruptedException {
    var own = "as-" + Integer.toHexString(token.hashCode());
    var config = Files.readString(home.resolve("kubeconfig"));
    Files.writeString(home.resolve(own), config.replaceAll("token: .*", "token: " + token));
    var command = new ArrayList<>(command(own));
    command.addAll(List.of(arguments));
    return run(command).text();
  }

  private List<String> command(String kubeconfig) {
    return List.of(
        executable.toString(),
        "--kubeconfig",
        home.resolve(kubeconfig).toString(),
        "--cache-dir",
        home.resolve("cache").toString());
  }

  private Output run(List<String> command) throws IOException, InterruptedException {
    var output = Files.createTempFile(home, "kubectl", ".txt");
    var process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (!ended) process.destroyForcibly();
    var text = Files.readString(output);
    assertThat(ended).as("%s has ended: %s", command, text).isTrue();
    Files.delete(output);
    return new Output(process.exitValue(), text);
  }
}
