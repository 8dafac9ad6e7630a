package dev.berth.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.cli.option.FileOption;
import dev.berth.cli.option.HomeOption;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.session.Applying;
import dev.berth.cli.session.Session;
import dev.berth.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "apply",
    description = {
      "Creates or changes the objects of manifests.",
      "What a manifest does not say stays as it is: a line taken out of it stays in the object,"
          + " which is `unchanged`; kubectl apply takes it away."
    },
    footer = {"", "Example:", "  berth apply -f examples/first-volume.yaml"})
final class Apply implements Callable<Integer> {
  @Mixin private HomeOption home = new HomeOption();
  @Mixin private FileOption files = new FileOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    var manifests = files.manifests();
    var terminal = Terminal.standard();
    try (var api = Session.open(home.home())) {
      var list = JsonNodeFactory.instance.objectNode();
      var items = list.put("apiVersion", "v1").put("kind", "List").putArray("items");
      for (var manifest : manifests) {
        var applied = Applying.one(api, manifest);
        if (output.whole()) items.add(applied.object());
        else terminal.line(manifest.title() + " " + applied.outcome().text());
      }
      if (output.whole()) terminal.line(output.write(list));
      return 0;
    }
  }
}
