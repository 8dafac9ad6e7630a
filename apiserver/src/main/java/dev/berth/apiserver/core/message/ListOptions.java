package dev.berth.apiserver.core.message;

import java.util.Optional;

/// How to list or watch: the query parameters in Kubernetes' own syntax, not yet validated. An
/// empty text is an absent parameter.
///
/// @param limit most objects in an answer; 0: all
/// @param continueToken where the page before this one ended
/// @param sendInitialEvents watches only: whether to begin with the objects that are there
/// @param allowWatchBookmarks watches only
public record ListOptions(
    String labelSelector,
    String fieldSelector,
    String resourceVersion,
    String resourceVersionMatch,
    long limit,
    String continueToken,
    Optional<Boolean> sendInitialEvents,
    boolean allowWatchBookmarks) {
  public static final ListOptions ALL =
      new ListOptions("", "", "", "", 0, "", Optional.empty(), false);

  /// The same of only those that the selectors admit.
  public ListOptions selecting(String labels, String fields) {
    return new ListOptions(
        labels,
        fields,
        resourceVersion,
        resourceVersionMatch,
        limit,
        continueToken,
        sendInitialEvents,
        allowWatchBookmarks);
  }

  /// The same from, or not older than, `resourceVersion`.
  public ListOptions from(String resourceVersion) {
    return new ListOptions(
        labelSelector,
        fieldSelector,
        resourceVersion,
        resourceVersionMatch,
        limit,
        continueToken,
        sendInitialEvents,
        allowWatchBookmarks);
  }

  /// The same `limit` objects at a time, going on at `continueToken`.
  public ListOptions page(long limit, String continueToken) {
    return new ListOptions(
        labelSelector,
        fieldSelector,
        resourceVersion,
        resourceVersionMatch,
        limit,
        continueToken,
        sendInitialEvents,
        allowWatchBookmarks);
  }
}
