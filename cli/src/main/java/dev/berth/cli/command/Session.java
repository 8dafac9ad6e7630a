package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.kube.http.HttpApi;
import java.nio.file.Files;
import java.util.Optional;

/// A client of the stack in a home.
final class Session {
  private Session() {}

  /// @throws Problem if there is no stack
  static HttpApi open(Home home) {
    if (!Files.exists(home.kubeconfig()))
      throw new Problem(
          "no stack has been up in " + home.folder() + "; start one with `berth up`" + also(home));
    return HttpApi.of(home.kubeconfig(), Optional.empty());
  }

  /// The option to repeat in a suggested command, if the home is not the usual one.
  static String also(Home home) {
    return home.folder().equals(Home.DEFAULT) ? "" : " --home " + home.folder();
  }
}
