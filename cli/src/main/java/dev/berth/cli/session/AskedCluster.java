package dev.berth.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.cli.option.GivenPath;
import dev.berth.kube.api.Api;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.http.NoCluster;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/// Which cluster a command asks that works on any: this machine's stack, or any Kubernetes.
public final class AskedCluster {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Ask the cluster that this names. By default the stack of this machine if one is up,"
              + " else what KUBECONFIG, ~/.kube/config or the pod's surroundings name.")
  private Optional<Path> kubeconfig = Optional.empty();

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Which context of the kubeconfig; by default its current one.")
  private Optional<String> context = Optional.empty();

  @Option(
      names = "--home",
      paramLabel = "DIR",
      description = "Folder of the stack to ask; by default /var/lib/berth.")
  private Optional<String> folder = Optional.empty();

  /// A client, and how commands that it is suggested to type name the same cluster.
  ///
  /// @param also options to repeat; empty: none
  public record Asked(HttpApi client, Optional<Home> home, String also) implements AutoCloseable {
    public Api api() {
      return client;
    }

    public String namespace() {
      return client.namespace().orElse("default");
    }

    public String typed(String sentence) {
      return home.map(it -> Session.typed(it, sentence))
          .orElseGet(() -> Session.typed(sentence, also));
    }

    /// Likewise for commands within JSON, by the names that they have there, at any depth.
    public <J extends JsonNode> J typed(J json) {
      CommandsWithin.each(json, this::typed);
      return json;
    }

    @Override
    public void close() {
      client.close();
    }
  }

  public Asked open() {
    if (kubeconfig.isPresent()) {
      if (folder.isPresent()) throw new Problem("give --kubeconfig or --home, not both");
      var file = new GivenPath("--kubeconfig", kubeconfig.get(), 1).file();
      return of(file, context, also(file));
    }
    var home = new Home(folder.map(AskedCluster::named).map(Path::of).orElse(Home.DEFAULT));
    if (folder.isPresent() || (context.isEmpty() && Session.isUp(home)))
      return new Asked(Session.open(home), Optional.of(home), "");
    return ofSurroundings(home);
  }

  private static String named(String folder) {
    // An unset variable in a script must not become the current folder.
    if (folder.isBlank()) throw new Problem("--home is empty; name a folder, or leave it out", 1);
    return folder;
  }

  private String also(Path file) {
    return " --kubeconfig " + Session.quoted(file.toString()) + contextAgain();
  }

  private String contextAgain() {
    return context.map(name -> " --context " + Session.quoted(name)).orElse("");
  }

  private Asked ofSurroundings(Home home) {
    try {
      return new Asked(
          Session.warning(HttpApi.ofSurroundings(context)), Optional.empty(), contextAgain());
    } catch (NoCluster none) {
      throw new Problem(
          "berth is not up in %s, and no other cluster is named: start it with berth up --detach, or give --kubeconfig"
              .formatted(home.folder()));
    } catch (IllegalArgumentException wrong) {
      throw new Problem(String.valueOf(wrong.getMessage()));
    }
  }

  private static Asked of(Path file, Optional<String> context, String also) {
    try {
      return new Asked(Session.warning(HttpApi.of(file, context)), Optional.empty(), also);
    } catch (IllegalArgumentException wrong) {
      throw new Problem("--kubeconfig: " + wrong.getMessage());
    }
  }
}
