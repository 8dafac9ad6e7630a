/// What nodes may do (spec/apiserver.md, API-12): each sees the pods that run on it and what those
/// refer to, and writes about itself. Start at [NodeAuthorizer].
///
/// Always: what a node may read follows from the pods of the very state that it would be answered
/// from (`NodeAuthorizerTest`).
@NullMarked
package dev.berth.apiserver.rights.node;

import org.jspecify.annotations.NullMarked;
