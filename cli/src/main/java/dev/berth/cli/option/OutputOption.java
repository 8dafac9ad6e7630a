package dev.berth.cli.option;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import picocli.CommandLine.Option;

/// For whom to print.
public final class OutputOption {
  enum Output {
    text,
    json,
    yaml,
    wide
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, wide, json or yaml; default: ${DEFAULT-VALUE}.")
  private Output output = Output.text;

  public boolean json() {
    return output == Output.json;
  }

  public boolean wide() {
    return output == Output.wide;
  }

  /// Whether whole objects are wanted rather than columns.
  public boolean whole() {
    return output == Output.json || output == Output.yaml;
  }

  /// The tree in the chosen language.
  public String write(JsonNode tree) {
    try {
      return json()
          ? new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(tree)
          : new ObjectMapper(
                  new YAMLFactory().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER))
              .writeValueAsString(tree)
              .stripTrailing();
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a tree can always be written", impossible);
    }
  }
}
