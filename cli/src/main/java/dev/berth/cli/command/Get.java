package dev.berth.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.managed.Managers;
import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.table.Layout;
import dev.berth.apiserver.table.Tables;
import dev.berth.cli.Problem;
import dev.berth.cli.option.HomeOption;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.session.CustomKinds;
import dev.berth.cli.session.Names;
import dev.berth.cli.session.Session;
import dev.berth.cli.terminal.Terminal;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "get",
    description = "Shows objects in kubectl's columns.",
    footer = {"", "Examples:", "  berth get pvc,pv,pod", "  berth get pod writer -o yaml"})
final class Get implements Callable<Integer> {
  @Mixin private HomeOption home = new HomeOption();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(
      index = "0",
      paramLabel = "KIND[,KIND...]",
      description = "Kinds by name or short name, such as pvc,pv,pod,va,sc,node; or KIND/NAME.")
  private String kinds = "";

  @Parameters(index = "1..*", paramLabel = "NAME", description = "Only these.", arity = "0..*")
  private List<String> names = List.of();

  @Option(
      names = {"-n", "--namespace"},
      description = "Default: ${DEFAULT-VALUE}.")
  private String namespace = "default";

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "Objects of every namespace.")
  private boolean everywhere;

  @Option(
      names = {"-l", "--selector"},
      description = "Only objects with these labels.")
  private String labels = "";

  @Option(
      names = {"--show-managed-fields"},
      description = "With -o yaml or json: also who owns which field.")
  private boolean managedFields;

  @Override
  public Integer call() {
    checkLists();
    var terminal = Terminal.standard();
    try (var api = Session.open(home.home())) {
      var all = JsonNodeFactory.instance.arrayNode();
      boolean first = true;
      for (var question : questions(api)) {
        var resource = question.resource();
        var items = items(api, question);
        if (output.whole())
          items.forEach(item -> all.add(managedFields ? item : Managers.without(item)));
        else {
          if (!first) terminal.line("");
          first = false;
          print(terminal, question, items);
        }
      }
      if (output.whole()) terminal.line(output.write(isOne(api) ? all.get(0) : asList(all)));
      return 0;
    }
  }

  /// What narrows a list, or widens it, would do nothing to an object that is named.
  private void checkLists() {
    var named =
        Stream.concat(
                names.stream(),
                Arrays.stream(kinds.split(",", -1))
                    .filter(word -> word.contains("/"))
                    .map(word -> word.substring(word.indexOf('/') + 1)))
            .findFirst();
    if (named.isEmpty()) return;
    if (everywhere)
      throw new Problem("-A is for lists: an object that is named is in one namespace; give -n", 2);
    if (!labels.isEmpty())
      throw new Problem("-l is for lists, and %s is named".formatted(named.get()), 2);
  }

  /// What is asked for of one kind.
  ///
  /// @param names empty: all objects
  private record Question(Resource resource, Layout layout, List<String> names) {}

  /// A kind by its name; those that definitions define too.
  private static Question about(Api api, String word, List<String> names) {
    var custom = Names.isBuiltIn(word) ? Optional.<Served>empty() : CustomKinds.named(api, word);
    return custom
        .map(kind -> new Question(kind.resource(), Tables.of(kind), names))
        .orElseGet(() -> {
          var resource = Names.kind(word);
          var layout = Kinds.builtIn().find(resource).map(Tables::of).orElse(Tables.of(resource));
          return new Question(resource, layout, names);
        });
  }

  /// `pod,pvc`, `pod NAME NAME`, or `pod/NAME pvc/NAME`, as with kubectl.
  private List<Question> questions(Api api) {
    if (!kinds.contains("/"))
      return Arrays.stream(kinds.split(",", -1)).map(kind -> about(api, kind, names)).toList();
    return Stream.concat(Arrays.stream(kinds.split(",", -1)), names.stream())
        .map(word -> {
          int slash = word.indexOf('/');
          if (slash < 0)
            throw new Problem("\"" + word + "\": after KIND/NAME each word is KIND/NAME", 2);
          return about(api, word.substring(0, slash), List.of(word.substring(slash + 1)));
        })
        .toList();
  }

  /// Whether one object was asked for by name: else the answer is a list, however long.
  private boolean isOne(Api api) {
    var questions = questions(api);
    return questions.size() == 1 && questions.getFirst().names().size() == 1;
  }

  private static JsonNode asList(JsonNode items) {
    var list = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "List");
    list.set("items", items);
    return list;
  }

  private List<ObjectNode> items(Api api, Question question) {
    var resource = question.resource();
    if (question.names().isEmpty())
      return api.list(resource, everywhere ? "" : scope(resource), Selector.labels(labels)).items();
    try {
      return question.names().stream()
          .map(name -> api.get(resource, Names.key(resource, namespace, name)))
          .toList();
    } catch (ApiException missing) {
      if (!missing.isNotFound()) throw missing;
      throw new Problem("Error from server (NotFound): " + missing.getMessage());
    }
  }

  private String scope(Resource resource) {
    return resource.namespaced() ? namespace : "";
  }

  private void print(Terminal terminal, Question question, List<ObjectNode> items) {
    var resource = question.resource();
    if (items.isEmpty()) {
      terminal.line(
          "No %s found%s."
              .formatted(
                  resource.plural(),
                  everywhere || !resource.namespaced() ? "" : " in namespace " + namespace));
      return;
    }
    var table =
        question
            .layout()
            .table(
                JsonNodeFactory.instance.objectNode(),
                items,
                Layout.Include.METADATA,
                Instant.now());
    var shown = new ArrayList<Integer>();
    var head = new ArrayList<String>();
    boolean spaces = everywhere && resource.namespaced();
    if (spaces) head.add("NAMESPACE");
    var columns = table.path("columnDefinitions");
    for (int column = 0; column < columns.size(); column++) {
      if (columns.get(column).path("priority").asInt() > 0 && !output.wide()) continue;
      shown.add(column);
      head.add(Json.text(columns.get(column), "name").toUpperCase(Locale.ROOT));
    }
    var rows = new ArrayList<List<String>>();
    rows.add(head);
    for (var row : table.path("rows")) {
      var line = new ArrayList<String>();
      if (spaces) line.add(Json.text(row.path("object").path("metadata"), "namespace"));
      for (var column : shown) line.add(row.path("cells").path(column).asText(""));
      rows.add(line);
    }
    terminal.table(rows);
  }
}
