package dev.berth.kube.value;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.json.JsonMapper;

/// Reads JSON as an API server may hold it.
///
/// The names in it are values too: managed fields say `k:{"name":"…"}` and `v:"…"`, as long as an
/// element is and as many as a list has. Jackson by itself takes names beyond 50,000 characters,
/// and thousands that share a hash, for an attack and refuses the text. An object that is stored
/// could then be read by nobody, nor could a list that it is part of.
public final class HeldJson {
  private HeldJson() {}

  /// For what is held already, of whatever size.
  public static JsonMapper.Builder mapper() {
    return mapper(Long.MAX_VALUE);
  }

  /// For what somebody sends.
  ///
  /// @param tokens names and values, at most; with more it is refused
  public static JsonMapper.Builder mapper(long tokens) {
    return JsonMapper.builder(
        JsonFactory.builder()
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .streamReadConstraints(constraints(tokens))
            .build());
  }

  /// Likewise, for what is read in another way, such as YAML.
  public static StreamReadConstraints constraints(long tokens) {
    return StreamReadConstraints.builder()
        .maxTokenCount(tokens)
        .maxNameLength(Integer.MAX_VALUE)
        .maxStringLength(Integer.MAX_VALUE)
        .build();
  }
}
